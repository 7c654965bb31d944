"""Places that have a name: the Korean word, then the English ones."""

from regard.tasks.directions.phrases import Phrase, word


def table(lines: str) -> tuple[Phrase, ...]:
    """One phrase per line: a Korean word, then its English words."""
    entries = [line.split(maxsplit=1) for line in lines.strip().splitlines()]
    return tuple(word(korean, english) for korean, english in entries)


STATIONS = table("""
서울역 Seoul station
강남역 Gangnam station
시청역 City Hall station
신촌역 Sinchon station
홍대입구역 Hongik University station
건대입구역 Konkuk University station
종각역 Jonggak station
잠실역 Jamsil station
사당역 Sadang station
성수역 Seongsu station
왕십리역 Wangsimni station
동대문역 Dongdaemun station
혜화역 Hyehwa station
명동역 Myeongdong station
충무로역 Chungmuro station
신도림역 Sindorim station
영등포역 Yeongdeungpo station
여의도역 Yeouido station
합정역 Hapjeong station
공덕역 Gongdeok station
용산역 Yongsan station
이태원역 Itaewon station
안국역 Anguk station
경복궁역 Gyeongbokgung station
광화문역 Gwanghwamun station
압구정역 Apgujeong station
신사역 Sinsa station
삼성역 Samseong station
역삼역 Yeoksam station
양재역 Yangjae station
수서역 Suseo station
청량리역 Cheongnyangni station
노원역 Nowon station
부산역 Busan station
대전역 Daejeon station
수원역 Suwon station
""")

SIGHTS = table("""
시청 City Hall
경복궁 Gyeongbokgung Palace
창덕궁 Changdeokgung Palace
창경궁 Changgyeonggung Palace
덕수궁 Deoksugung Palace
종묘 Jongmyo Shrine
조계사 Jogyesa Temple
봉은사 Bongeunsa Temple
명동성당 Myeongdong Cathedral
남산타워 Namsan Tower
롯데월드 Lotte World
롯데월드타워 Lotte World Tower
청와대 the Blue House
국회의사당 the National Assembly
국립중앙박물관 the National Museum of Korea
국립중앙도서관 the National Library of Korea
예술의전당 Seoul Arts Center
세종문화회관 Sejong Center
북촌한옥마을 Bukchon Hanok Village
청계천 Cheonggyecheon Stream
광화문광장 Gwanghwamun Square
서울광장 Seoul Plaza
서울숲 Seoul Forest
서울대공원 Seoul Grand Park
올림픽공원 Olympic Park
여의도공원 Yeouido Park
남산공원 Namsan Park
한강공원 Hangang Park
월드컵경기장 World Cup Stadium
잠실야구장 Jamsil Baseball Stadium
남대문시장 Namdaemun Market
동대문시장 Dongdaemun Market
광장시장 Gwangjang Market
통인시장 Tongin Market
인천공항 Incheon Airport
김포공항 Gimpo Airport
고속버스터미널 the Express Bus Terminal
남부터미널 Nambu Terminal
코엑스 COEX
인사동 Insadong
명동 Myeongdong
이태원 Itaewon
홍대 Hongdae
가로수길 Garosugil
서울대학교 Seoul National University
연세대학교 Yonsei University
고려대학교 Korea University
이화여자대학교 Ewha Womans University
한양대학교 Hanyang University
성균관대학교 Sungkyunkwan University
서강대학교 Sogang University
홍익대학교 Hongik University
경희대학교 Kyung Hee University
건국대학교 Konkuk University
서울대학교병원 Seoul National University Hospital
세브란스병원 Severance Hospital
서울아산병원 Asan Medical Center
삼성서울병원 Samsung Medical Center
""")

BRANDS = table("""
스타벅스 Starbucks
이디야 Ediya
투썸플레이스 A Twosome Place
빽다방 Paik's Coffee
던킨 Dunkin
배스킨라빈스 Baskin Robbins
파리바게뜨 Paris Baguette
맥도날드 McDonald's
롯데리아 Lotteria
버거킹 Burger King
이마트 Emart
홈플러스 Homeplus
올리브영 Olive Young
다이소 Daiso
교보문고 Kyobo Bookstore
롯데백화점 Lotte Department Store
신세계백화점 Shinsegae Department Store
""")

BANKS = table("""
국민은행 Kookmin Bank
우리은행 Woori Bank
신한은행 Shinhan Bank
하나은행 Hana Bank
""")

BRIDGES = table("""
한강대교 Hangang Bridge
마포대교 Mapo Bridge
반포대교 Banpo Bridge
잠실대교 Jamsil Bridge
성수대교 Seongsu Bridge
올림픽대교 Olympic Bridge
""")

ROADS = table("""
세종대로 Sejong Avenue
강남대로 Gangnam Avenue
테헤란로 Teheran Road
율곡로 Yulgok Road
퇴계로 Toegye Road
소월길 Sowol Lane
""")

NAMED = STATIONS + SIGHTS + BRANDS + BANKS
