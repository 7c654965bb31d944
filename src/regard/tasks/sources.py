"""Where every data set comes from: its licence, its files, and how each file is got.

The addresses name a commit wherever there is one, so that they give the same bytes for ever.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from regard.tasks.forms import Form, Plain, TarMember, TarMembers, ZipMember
from regard.tasks.stories.official import ARCHIVE as BABI_ARCHIVE
from regard.tasks.stories.official import members as babi_members

GITHUB = "https://raw.githubusercontent.com"


@dataclass(frozen=True)
class Download:
    """An address that gives a file; without a form it gives the very bytes that are kept."""

    url: str
    form: Form | None = None


@dataclass(frozen=True)
class ByHand:
    """No address gives the file: what a person has to do instead."""

    steps: str


@dataclass(frozen=True)
class File:
    """A file as it is kept, and how it is got."""

    name: str
    size: int  # bytes that it holds, unpacked where its name ends in .gz or .xz
    origin: Download | ByHand


@dataclass(frozen=True)
class Source:
    """A data set: what it is, who made it, what one may do with it, and its files."""

    name: str
    title: str
    homepage: str
    licence: str
    size: int  # bytes on the disk, of all files as they are kept
    files: tuple[File, ...]


MULTI30K = f"{GITHUB}/multi30k/dataset/a3d2e0d26b56f3846f66a952536ffed4e401d05a/data/task1/raw"
MULTI30K_SIZES = {  # of the German, the English and the French file, unpacked
    "test_2016_flickr": (70_649, 62_076, 72_261),
    "test_2017_flickr": (64_059, 55_242, 65_691),
    "test_2017_mscoco": (29_906, 24_949, 29_982),
    "test_2018_flickr": (80_893, 70_603, 84_076),
    "train": (2_110_398, 1_801_238, 2_111_303),
    "val": (75_981, 63_297, 73_924),
}
SEQ2SEQ = f"{GITHUB}/genimind/seq2seq/4f3f8eb0adde54fcc8b89394336b002e7961244c"
ANKI = f"{GITHUB}/okaybody10/Korea-University/c5142aaaa259a90a98aec0fa579b040cf46dad6f/kor-eng"
KOREAN = f"{GITHUB}/jungyeul/korean-parallel-corpora/a1fb53dc5216f3a2d07d973456d8921ed23c88c6"


def _captions(part: str, language: str, size: int) -> File:
    name = f"{part}.{language}.gz"
    return File(name, size, Download(f"{MULTI30K}/{name}"))


def _school(name: str, size: int) -> File:
    return File(f"{name}.xz", size, Download(f"{KOREAN}/korean-english-jhe/{name}", Plain()))


def _news(part: str, language: str, size: int) -> File:
    archive = f"{KOREAN}/korean-english-news-v1/korean-english-park.{part}.tar.gz"
    name = f"korean-english-park.{part}.{language}"
    return File(f"{name}.xz", size, Download(archive, TarMember(name)))


PYTHON_STEPS = (
    "it is made from the .po files of https://github.com/python/python-docs-ko at commit "
    "d0c58403de225366b23d0cafd8b86508186c8c8a, one line (English, tab, Korean, tab, document) for "
    "each entry that is translated and neither fuzzy nor obsolete, with white space collapsed, "
    "where the Korean has Hangul and is not the English, the English has three words or more, "
    "and the line is not there yet"
)

FLICKR8K_CAPTIONS = f"{GITHUB}/sumanp31/Image-captioning/ce03ef44f97c3cb61034bc6fb04ef4d59fbea48c"
FLICKR8K_SPLITS = (
    f"{GITHUB}/NinjaAadi/Image_Annotation/da105ec6cd7f33407bdfd38e01f92b2ad0ac9070/Flickr8k_text"
)
FLICKR8K_SIZES = {"train": (154_678, 39_858_388), "dev": (25_801, 6_673_286),
                  "test": (25_775, 6_597_714)}  # fmt: skip


def _flickr8k_files() -> Iterator[File]:
    captions = f"{FLICKR8K_CAPTIONS}/Flickr8k.token.txt"
    yield File("Flickr8k.token.txt", 3_395_237, Download(captions))
    for part, (list_size, images_size) in FLICKR8K_SIZES.items():
        name = f"Flickr_8k.{part}Images.txt"
        yield File(name, list_size, Download(f"{FLICKR8K_SPLITS}/{name}"))
        steps = (
            "its photographs may not be passed on: ask for Flickr8k_Dataset.zip at the homepage, "
            f"bring each image of {name}, in its order, to RGB with 160 pixels along the shorter "
            "side (Lanczos, never enlarged) and WebP of quality 70, method 6, and join their bytes "
            "to the array data, beside offsets, names and hw (height, width); other encoders give "
            "other bytes, so take your own images by captions-pictures instead if the sums differ"
        )
        yield File(f"images_{part}.npz", images_size, ByHand(steps))


BABI = "https://s3.amazonaws.com/text-datasets/babi_tasks_1-20_v1-2.tar.gz"
BABI_TIME = 1_492_646_400  # the date that all its members bear as they are kept, 20 April 2017
PTB = f"{GITHUB}/timbmg/RNNLM/e26dff5d8f4b5d07ee459f192ee2131923d7584f/data/ptb.zip"


def _treebank(part: str, size: int) -> File:
    return File(f"ptb.{part}.txt.xz", size, Download(PTB, ZipMember(f"ptb.{part}.txt")))


SOURCES: dict[str, Source] = {
    "multi30k": Source(
        name="multi30k",
        title="Multi30k: captions of pictures in English, German and French (task 1, raw text)",
        homepage="https://github.com/multi30k/dataset",
        licence="none stated; the captions derive from Flickr30k, for research",
        size=2_110_988,
        files=tuple(
            _captions(part, language, size)
            for part, sizes in MULTI30K_SIZES.items()
            for language, size in zip(("de", "en", "fr"), sizes, strict=True)
        ),
    ),
    "tatoeba_fra_eng": Source(
        name="tatoeba_fra_eng",
        title="Tatoeba: everyday sentences in English and French (September 2017)",
        homepage="https://www.manythings.org/anki/",
        licence="CC BY 2.0; name tatoeba.org and manythings.org/anki",
        size=2_951_390,
        files=(File("fra-eng.zip", 2_951_390, Download(f"{SEQ2SEQ}/fra-eng.zip")),),
    ),
    "korean_english": Source(
        name="korean_english",
        title="Korean and English: Tatoeba, news, school English, Python's manual",
        homepage="https://github.com/jungyeul/korean-parallel-corpora",
        licence="Tatoeba CC BY 2.0 FR; news and school English CC BY-SA 3.0; Python's manual PSF",
        size=2_527_616,
        files=(
            _school("jhe-koen-dev.en", 47_582),
            _school("jhe-koen-dev.ko", 63_794),
            _school("jhe-koen-eval.en", 46_596),
            _school("jhe-koen-eval.ko", 63_319),
            _news("dev", "en", 134_786),
            _news("dev", "ko", 159_673),
            _news("test", "en", 278_586),
            _news("test", "ko", 322_388),
            File("python_docs_3.13_en_ko.tsv.xz", 10_467_847, ByHand(PYTHON_STEPS)),
            File("tatoeba_kor_eng_2022.tsv.xz", 564_265, Download(f"{ANKI}/kor.txt", Plain())),
        ),
    ),
    "flickr8k": Source(
        name="flickr8k",
        title="Flickr8k: 8,000 photographs with five captions each",
        homepage="http://hockenmaier.cs.illinois.edu/8k-pictures.html",
        licence="none open: captions for research and education, photographs of their owners",
        size=56_730_879,
        files=tuple(_flickr8k_files()),
    ),
    "babi": Source(
        name="babi",
        title="bAbI: questions over little stories, twenty tasks (version 1.2, English)",
        homepage="https://research.facebook.com/downloads/babi/",
        licence="CC BY 3.0, (c) 2015-present Facebook, Inc.",
        size=1_744_028,
        files=(
            File(
                BABI_ARCHIVE,
                33_269_760,
                Download(BABI, TarMembers(babi_members(), modified=BABI_TIME)),
            ),
        ),
    ),
    "ptb": Source(
        name="ptb",
        title="Penn Treebank: news in the split and with the 10,000 words of Mikolov",
        homepage="https://catalog.ldc.upenn.edu/LDC99T42",
        licence="none open: derived from the Penn Treebank of the LDC, for research",
        size=1_426_572,
        files=(
            _treebank("test", 449_945),
            _treebank("train", 5_101_618),
            _treebank("valid", 399_782),
        ),
    ),
}
