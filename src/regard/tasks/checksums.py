"""The sha256 of every file of the data sets that are read here."""


def _table(lines: str) -> dict[str, str]:
    """File -> sha256, from lines as ``sha256sum`` writes them."""
    return {name: checksum for checksum, name in map(str.split, lines.strip().splitlines())}


CHECKSUMS: dict[str, dict[str, str]] = {
    "multi30k": _table("""
9204244e408ccb38d2a55cfcd344df15005fc42a07a6e55ca6c52b6ababb8cc8  test_2016_flickr.de.gz
611d361c6334bc7246101d48097c13cf5c4413c5befc793cc629934359d532d9  test_2016_flickr.en.gz
6d326e188d259fb1d04ac19eae3af956559b3a0b93d7635e56c90987c40c8b90  test_2016_flickr.fr.gz
a2c89666db00c495cd8513b9d708d5a3acc205d7de312ef2bf5fb7ebc1540aee  test_2017_flickr.de.gz
76a444ee25172e72695cddb13ae4a3bda59430617be88e0bb46b60504f054074  test_2017_flickr.en.gz
3ba671ceb2299f3304ffafefea7a833d08632fbaf0ba18546f8a2ec2391af496  test_2017_flickr.fr.gz
799e4854c25d601cb6cb6be29eabe5667734c61ace2f495e03e429031a0bc338  test_2017_mscoco.de.gz
aab300bfb4427697987e02cd0aacd44bfe8aa50456231b6474c08038bbed2b58  test_2017_mscoco.en.gz
754f3072ba9f124569ba5258b32730fc1d214bbf8e0c6dfb2b74401676220db0  test_2017_mscoco.fr.gz
ddd0130c7d97482dc5197a02141dae8dd79f20f03586c480d675c09a32daf608  test_2018_flickr.de.gz
ef4f4844037d4c5dea75c9a8ed5fd78905967a26f67c255e230cc9780032654d  test_2018_flickr.en.gz
fb2b83fcceb937a4f7e3e93c1c51c22aba92f1e342391e6b5ba392b16a920501  test_2018_flickr.fr.gz
726e39b2fa9eb9ffb6dc763fb35a179f80fae06ffc5d28b6ace5faa883de28a6  train.de.gz
d79cfa999dd4c51d2cb42499b6796d5a882c3a8a961923c25a898c90f8bbd56f  train.en.gz
622e75069e9f4c577425c4f277116ce66e63a2401c0a2312d90073cb12379a3c  train.fr.gz
f0cba2f995189cf5770f29a8a9a537a3ad3f51657ad873405082ff6863a5e75a  val.de.gz
14f7d25ddd868909a9213e361768460edcacdd6ab9d1e77b92560dc10c10dc28  val.en.gz
ca3106f1a72390591d25f6c45cb4cd39dec4cd3f123e099748a3ce5256c160e9  val.fr.gz
"""),
    "tatoeba_fra_eng": _table("""
16c4f7d0df9e7c5e6c54cdb0447f3f4a18a55052ff5e2e0b27dd4a06c0e49d04  fra-eng.zip
"""),
    "korean_english": _table("""
ccb86047b30234ea77fec3c3b786ee9b99eadd06558114b9f9d9bbc4c2695f17  jhe-koen-dev.en.xz
35374d7cedcfe0b86a3d393ec20d58bd8e1f35cf2408301e179223c7f7e4c37c  jhe-koen-dev.ko.xz
54efdb8300c2284297d696de480f8ba9e949a58ec6d7dda1919d598b96a4ccbb  jhe-koen-eval.en.xz
c4bf7ba9206e2522ba5d09edf80e0e1b7b6d9c39b6691a70b288e069f86a644f  jhe-koen-eval.ko.xz
6c89c58470f0d0fcaaaa95a8004aae42b4d903a5e3a7b43889f7ce521911c9ef  korean-english-park.dev.en.xz
1ab0d946a9d23088fd400b76f7bf7c77f1ec7fa4ce1fd321a13c20828d0eff30  korean-english-park.dev.ko.xz
a5d8825f5fa39d9abd1b0e43b8c8fbbfa5f0b2f322a97c2fd4dc3668b01080ae  korean-english-park.test.en.xz
d7bd6c9731abae1fdf91f67698c2f44e8d1e2fc69f8bd69d3aefcac065709081  korean-english-park.test.ko.xz
c6788fc23b9bb6e023fc50f33cf581e68017997387c9c0e96e107ce62a49936f  python_docs_3.13_en_ko.tsv.xz
f9b9b18a609ef4b0489a589213ef70a44c88430d4362f26f8fd439dad050d71f  tatoeba_kor_eng_2022.tsv.xz
"""),
}
