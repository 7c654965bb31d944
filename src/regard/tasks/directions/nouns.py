"""Common places, people, things, vehicles and numbers: the Korean word, then the English ones."""

from regard.tasks.directions.names import table

SHOPS = table("""
카페 cafe
식당 restaurant
빵집 bakery
서점 bookshop
꽃집 flower shop
편의점 convenience store
슈퍼마켓 supermarket
백화점 department store
시장 market
문구점 stationery shop
찻집 tea house
분식집 snack bar
국숫집 noodle shop
기념품점 souvenir shop
""")

BUILDINGS = table("""
은행 bank
약국 pharmacy
병원 hospital
치과 dental clinic
학교 school
유치원 kindergarten
도서관 library
우체국 post office
경찰서 police station
소방서 fire station
호텔 hotel
극장 theatre
영화관 cinema
박물관 museum
미술관 art gallery
공원 park
놀이터 playground
주차장 car park
주유소 petrol station
버스정류장 bus stop
지하철역 subway station
교회 church
성당 cathedral
절 temple
세탁소 laundry
미용실 hair salon
체육관 gym
수영장 swimming pool
동물원 zoo
대사관 embassy
노래방 karaoke room
찜질방 sauna
구청 district office
주민센터 community centre
법원 courthouse
방송국 broadcasting company
경기장 stadium
광장 square
분수 fountain
동상 statue
기숙사 dormitory
관광안내소 tourist information centre
환전소 currency exchange
여행사 travel agency
""")

COMMON = SHOPS + BUILDINGS

CROSSINGS = table("""
횡단보도 the pedestrian crossing
사거리 the crossroads
육교 the footbridge
지하도 the underpass
철길 the railway
강 the river
길 the street
""")

ADJECTIVES = table("""
큰 big
작은 small
새 new
오래된 old
조용한 quiet
유명한 famous
예쁜 pretty
비싼 expensive
싼 cheap
깨끗한 clean
넓은 spacious
높은 tall
하얀 white
빨간 red
파란 blue
노란 yellow
아름다운 beautiful
따뜻한 warm
시원한 cool
편안한 comfortable
복잡한 crowded
멋진 splendid
밝은 bright
""")

PEOPLE = table("""
친구 my friend
가족 my family
어머니 my mother
아버지 my father
언니 my older sister
형 my older brother
여동생 my younger sister
남동생 my younger brother
할머니 my grandmother
할아버지 my grandfather
아내 my wife
남편 my husband
아들 my son
딸 my daughter
동료 my colleague
손님 my guest
이웃 my neighbour
선생님 my teacher
""")

HELPERS = table("""
경찰관 the police officer
역무원 the station attendant
경비원 the guard
점원 the shop assistant
운전사 the bus driver
안내원 the guide
""")

GOODS = table("""
표 a ticket
빵 bread
꽃 flowers
우산 an umbrella
물 water
책 a book
약 medicine
선물 a gift
과일 fruit
교통카드 a transport card
지도 a map
엽서 postcards
모자 a hat
신발 shoes
사탕 sweets
""")

FOODS = table("""
비빔밥 bibimbap
김밥 kimbap
불고기 bulgogi
냉면 cold noodles
떡볶이 spicy rice cakes
만두 dumplings
삼계탕 ginseng chicken soup
점심 lunch
간식 a snack
""")

DRINKS = table("""
커피 coffee
녹차 green tea
우유 milk
주스 juice
맥주 beer
막걸리 rice wine
""")

VEHICLES = table("""
버스 bus
택시 taxi
지하철 subway
기차 train
자동차 car
자전거 bicycle
오토바이 motorcycle
유람선 ferry
전차 tram
마을버스 village bus
공항버스 airport bus
""")

LINES = table("\n".join(f"{number}호선 line {number}" for number in range(1, 10)))

BUSES = table(
    "\n".join(f"{number}번 number {number}" for number in (100, 143, 150, 272, 402, 470, 601, 741))
)

EXITS = table("\n".join(f"{number}번 {number}" for number in range(1, 13)))

FLOORS = table("""
2층 second
3층 third
4층 fourth
5층 fifth
6층 sixth
7층 seventh
8층 eighth
9층 ninth
10층 tenth
""")

MINUTES = table("""
오 five
십 ten
십오 fifteen
이십 twenty
""")

HOURS = table("""
한 one
두 two
세 three
네 four
다섯 five
여섯 six
일곱 seven
여덟 eight
아홉 nine
열 ten
열한 eleven
열두 twelve
""")

WEEKDAYS = table("""
월요일 Monday
화요일 Tuesday
수요일 Wednesday
목요일 Thursday
금요일 Friday
토요일 Saturday
일요일 Sunday
""")
