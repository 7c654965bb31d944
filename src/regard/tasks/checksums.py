"""The sha256 of what every file of the data sets holds.

A file that ends in ``.gz`` or ``.xz`` is summed unpacked: whoever packed it anew has the same file.
"""


def _table(lines: str) -> dict[str, str]:
    """File -> sha256, from lines as ``sha256sum`` writes them."""
    return {name: checksum for checksum, name in map(str.split, lines.strip().splitlines())}


CHECKSUMS: dict[str, dict[str, str]] = {
    "multi30k": _table("""
4be6b5b3236b79c25475c6bb829800a7ce559e9ba7a1f6c2394fe4d40be46d16  test_2016_flickr.de.gz
399a4382932c1aadd3ceb9bef1008d388a64c76d4ae4e9d4728c6f4301cac182  test_2016_flickr.en.gz
cb3160d69b002bb638e66cc7612fcd56cb0af82eadc9c142dedc438afb885ef6  test_2016_flickr.fr.gz
c3078bc3b36808bf9d20eb2347ed6137016179ef59ec0d2b9b8ecc3fb2880081  test_2017_flickr.de.gz
ce1450ddc5ab0834502579d77a170849952e15a2938b34cc503bdc25ebb4fb98  test_2017_flickr.en.gz
6f3764e31dac41e9455e612958bcfd4e877c5e15cd66df2c2b2be6d9bd83e5b6  test_2017_flickr.fr.gz
58277df3c75f92f7145a11b910b553d1cf82c439249d4dc237c899609eafac22  test_2017_mscoco.de.gz
43051fdfa86fd5395182e718a94ca67b1b227b9f7c79596ff0f6b813216981d2  test_2017_mscoco.en.gz
39cde3f43f32b0a6bf29ce4917a46329ff32e53070c2fac87506695a740ae0a0  test_2017_mscoco.fr.gz
39fcc8b3331d76fb42d648d019c6898b0d5e58baac87bc2a0bb93f44ec8db207  test_2018_flickr.de.gz
4e585c2dd525911a6ea7730e9d0b516239af3f1b1ffae6a2130223cfb639f25e  test_2018_flickr.en.gz
234b4a887da0da4801a3e2c6f21336231ff7dd46daeb80cfa1b551c8bbb78239  test_2018_flickr.fr.gz
2c2b73fd2b548fbcde3a875e0a78d6ee94d498bfdee6bd3eae3945779e9ddf72  train.de.gz
460a15fbd157e34a7a9957ee388c1ca247fe47af3ef25fb50442af6c274e0fc6  train.en.gz
5925a3c18f1587b6b54b87743106e6e8ab93618edb6f65d19eac0621f853a10d  train.fr.gz
660e09eb7e1da2f856ea13ee5ad3cf6d36b3d5b0b733c857e94c5747a3dfc660  val.de.gz
1f2a23d992769b5b3d209b0a10dd0b77c08cceb1f20dfb97ed0aafa49d107227  val.en.gz
5304e444d842e962b2dda4d816b70b22a1765b15401642b7ca37a67477e708dc  val.fr.gz
"""),
    "tatoeba_fra_eng": _table("""
16c4f7d0df9e7c5e6c54cdb0447f3f4a18a55052ff5e2e0b27dd4a06c0e49d04  fra-eng.zip
"""),
    "korean_english": _table("""
ccf0c0ca7601b5cae37891ecf89c72c951ac162a20738ac894e3faf804c4c4af  jhe-koen-dev.en.xz
2b02238c122aac40860aebfb191cfcdb46553e6b55b447f8188e04cabe00b828  jhe-koen-dev.ko.xz
dc4c0975092f3cfd5c60e3cea24e6b2a400e4373208cd9f3ed6b0cc44c01cc3b  jhe-koen-eval.en.xz
531b18d6640aaf63b86753c631c8ee6d7d23c10b9f9c56cb99c9da086417cb86  jhe-koen-eval.ko.xz
98e0d1284685328701410f9656098d9939ca69ab262bf69a9e1a7f9d716ef1dc  korean-english-park.dev.en.xz
248e0dd8e560db90ea7b51e4959a33d67a7bba48872429bc90f416ea8acbac44  korean-english-park.dev.ko.xz
76e43f2ed5ce5d20e4187fb7bb167f5771db8d06ec34c66410ea044c35eed77c  korean-english-park.test.en.xz
02d1445fcdcd26f99b29a7d5bf692688634571310c1f2d1093cfb2e2d1eb6be4  korean-english-park.test.ko.xz
a387e9dc76b0e1add1de23fd01b7e860d2e95d41edcf14190651041d55824c9c  python_docs_3.13_en_ko.tsv.xz
ec1922b95f57bdfd413532bdacb702ac9894f79e5e9041b33bcc1a8215d63914  tatoeba_kor_eng_2022.tsv.xz
"""),
    "flickr8k": _table("""
1e1f3a371ba1a1bf742e6930521c037e046b2bf3fcc2390ba8405e0301ed7689  Flickr8k.token.txt
18ba829f47f6df1cb830bf7f0506e2ddf333818925299babbd1bbcaf50fdc504  Flickr_8k.devImages.txt
c0924146c131458ceba45da59670fe9520eadce1e5cafffa16a817672a9b1f17  Flickr_8k.testImages.txt
e330ddd5156a4c2d2e2b67bc587e70e588f2d132bd8a10dc54dcb71e58115d8e  Flickr_8k.trainImages.txt
8ad3ee35b52aacbb351a10efef09745df59700b99dbaaaf3a158edea79e31582  images_dev.npz
49036511f6a02dd1b7ceba7ddb9f1131e9bbce9a5af0766a63845c1f9b656bf6  images_test.npz
10e5d5d17cee0d24b70705a3d37bd28eaade28c4b24926ed4cae62c878d041c8  images_train.npz
"""),
    "babi": _table("""
4b6c594b221c56ebe56a2eedfd185223a03d3000f56ff9f7f2c5b75869ccd5fc  tasks_1-20_v1-2_en.tar.xz
"""),
    "ptb": _table("""
dd65dff31e70846b2a6030a87482edcd5d199130cdcfa1f3dccbb033728deee0  ptb.test.txt.xz
fcea919f6cf83f35d4d00c6cbf08040d13d4155226340912e2fef9c9c4102cbf  ptb.train.txt.xz
c9fe6985fe0d4ccb578183407d7668fc6066c20700cb4cf87d8ff1cc34df1bf2  ptb.valid.txt.xz
"""),
}
