"""Words and signs of quantities: number words, scales, currencies, units, months, weekdays."""

from __future__ import annotations

from typing import NamedTuple


class Unit(NamedTuple):
    """A unit: what it measures, and how many of that dimension's base unit it is. Temperatures add ``offset``."""

    name: str
    dimension: str
    factor: float
    offset: float = 0.0


ONES = {
    word: value
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
}
TENS = {
    word: value * 10
    for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)  # noqa: SIM905
}
SCALES = {
    "hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "lakh": 1e5, "lakhs": 1e5,
    "crore": 1e7, "crores": 1e7, "k": 1e3, "m": 1e6, "mn": 1e6, "mm": 1e6, "mio": 1e6, "bn": 1e9, "b": 1e9, "tn": 1e12,
    "millions": 1e6, "billions": 1e9, "thousands": 1e3, "hundreds": 1e2, "tausend": 1e3, "millionen": 1e6,
    "milliarden": 1e9, "mrd": 1e9, "mille": 1e3, "milliard": 1e9, "milliards": 1e9, "mil": 1e3, "millones": 1e6,
    "dozen": 12.0, "dozens": 12.0,
}  # fmt: skip
ORDINALS = {
    word: value
    for value, word in enumerate(
        [
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
            "thirteenth",
            "fourteenth",
            "fifteenth",
            "sixteenth",
            "seventeenth",
            "eighteenth",
            "nineteenth",
            "twentieth",
        ],
        1,
    )
}
FRACTIONS = {
    "half": 0.5, "third": 1 / 3, "thirds": 1 / 3, "quarter": 0.25, "quarters": 0.25, "fifth": 0.2, "fifths": 0.2,
    "sixth": 1 / 6, "sixths": 1 / 6, "eighth": 0.125, "eighths": 0.125, "tenth": 0.1, "tenths": 0.1,
}  # fmt: skip
VULGAR = {"½": 0.5, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 0.25, "¾": 0.75, "⅛": 0.125, "⅕": 0.2, "⅖": 0.4}

CURRENCIES = {
    "$": "USD", "us$": "USD", "usd": "USD", "dollar": "USD", "dollars": "USD", "c$": "CAD", "ca$": "CAD", "cad": "CAD",
    "a$": "AUD", "au$": "AUD", "aud": "AUD", "nz$": "NZD", "nzd": "NZD", "s$": "SGD", "sgd": "SGD", "hk$": "HKD",
    "hkd": "HKD", "€": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR", "£": "GBP", "gbp": "GBP", "pound": "GBP",
    "pounds": "GBP", "sterling": "GBP", "¥": "JPY", "jpy": "JPY", "yen": "JPY", "cny": "CNY", "rmb": "CNY", "yuan": "CNY",  # noqa: E501
    "元": "CNY", "円": "JPY", "₹": "INR", "inr": "INR", "rs": "INR", "rs.": "INR", "rupee": "INR", "rupees": "INR",
    "chf": "CHF", "franc": "CHF", "francs": "CHF", "sek": "SEK", "nok": "NOK", "dkk": "DKK", "krw": "KRW", "brl": "BRL",
    "cents": "USc", "cent": "USc", "pence": "GBp", "रुपये": "INR",
}  # fmt: skip

_UNITS = """
time 1 second seconds sec secs s sekunde sekunden seconde secondes segundo segundos 秒
time 0.001 millisecond milliseconds ms
time 60 minute minutes min mins minuten minuto minutos 分钟 मिनट
time 3600 hour hours hr hrs h stunde stunden heure heures hora horas 小时 घंटे घंटा
time 86400 day days calendar-day calendar-days tag tage tagen kalendertage kalendertagen jour jours día días 天 日 दिन दिनों
time 604800 week weeks wk wks woche wochen semaine semaines semana semanas fortnights 周
time 1209600 fortnight
business_time 1 business-day business-days working-day working-days werktag werktage werktagen arbeitstag arbeitstage arbeitstagen jour-ouvré jours-ouvrés día-hábil días-hábiles 个工作日
business_time 5 working-week working-weeks
months 1 month months mo mos monat monate monaten mois mes meses 个月 महीने महीना
months 12 year years yr yrs jahr jahre jahren an ans année années año años 年 वर्ष साल
months 120 decade decades
months 1200 century centuries
months 3 quarter quarters
length 1 metre metres meter meters m mètre mètres metros
length 1000 kilometre kilometres kilometer kilometers km kms
length 0.01 centimetre centimetres centimeter centimeters cm
length 0.001 millimetre millimetres millimeter millimeters mm
length 1609.344 mile miles mi
length 0.3048 foot feet ft
length 0.0254 inch inches
length 0.9144 yard yards yd
mass 1 gram grams gramme grammes g
mass 1000 kilogram kilograms kilo kilos kg kgs
mass 0.001 milligram milligrams mg
mass 0.000001 microgram micrograms mcg µg μg
mass 1000000 tonne tonnes
mass 453.59237 lb lbs
mass 28.349523125 ounce ounces oz
volume 1 litre litres liter liters l
volume 0.001 millilitre millilitres milliliter milliliters ml
volume 3.785411784 gallon gallons
area 1 m² sqm
area 10000 hectare hectares ha
area 4046.8564224 acre acres
data 1 byte bytes
data 1000 kb kilobyte kilobytes
data 1000000 mb megabyte megabytes
data 1000000000 gb gigabyte gigabytes
data 1000000000000 tb terabyte terabytes
data 1024 kib
data 1048576 mib
data 1073741824 gib
bits 1 bit bits
bits 1000000 mbit mbps
bits 1000000000 gbit gbps
energy 1 kwh
energy 0.001 wh
energy 1000 mwh
power 1 watt watts w
power 1000 kw kilowatt kilowatts
power 1000000 mw megawatt megawatts
frequency 1 hz
frequency 1000000 mhz
frequency 1000000000 ghz
speed 1 km/h kph
speed 1.609344 mph
substance 1 mmol/l
energy_food 1 kcal calories calorie
dose 1 iu units/ml
"""  # noqa: E501
UNITS = {
    word: Unit(line.split()[2], line.split()[0], float(line.split()[1]))
    for line in _UNITS.strip().splitlines()
    for word in line.split()[2:]
} | {
    "°c": Unit("°c", "temperature", 1.0, 273.15),
    "℃": Unit("°c", "temperature", 1.0, 273.15),
    "celsius": Unit("°c", "temperature", 1.0, 273.15),
    "°f": Unit("°f", "temperature", 5 / 9, 459.67 * 5 / 9),
    "fahrenheit": Unit("°f", "temperature", 5 / 9, 459.67 * 5 / 9),
}
SHORT_UNITS = frozenset("s h m g l w mi ft an ha mo min mes b k".split())  # noqa: SIM905
"""Taken as units only when they stand right after digits."""
PERCENT_WORDS = frozenset("% percent pct per-cent prozent pour-cent por-ciento ％ प्रतिशत".split())  # noqa: SIM905

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar jänner janvier enero",
            "february feb februar février febrero",
            "march mar märz mars marzo",
            "april apr avril abril",
            "may mai mayo",
            "june jun juni juin junio",
            "july jul juli juillet julio",
            "august aug août agosto",
            "september sep sept septembre septiembre",
            "october oct oktober okt octobre octubre",
            "november nov novembre noviembre",
            "december dec dezember dez décembre diciembre",
        ),
        1,
    )
    for name in names.split()
}
WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            "monday mondays mon montag lundi lunes",
            "tuesday tuesdays tue tues dienstag mardi martes",
            "wednesday wednesdays wed mittwoch mercredi miércoles",
            "thursday thursdays thu thurs donnerstag jeudi jueves",
            "friday fridays fri freitag vendredi viernes",
            "saturday saturdays samstag samedi sábado",
            "sunday sundays sonntag dimanche domingo",
        ),
        1,
    )
    for name in names.split()
}
