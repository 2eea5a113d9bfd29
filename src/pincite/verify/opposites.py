"""Opposites and near synonyms, by stem. Written for this project; English. Changing a line changes verdicts."""

from __future__ import annotations

from pincite.text.words import stem

_ANTONYMS = """
increase decrease reduce lower drop fall decline shrink cut
rise fall drop decline decrease
raise lower reduce cut
grow shrink decline fall
more less fewer
higher lower
high low
above below
over under
before after
earlier later
first last
early late
maximum minimum
max min
most least
longer shorter
long short
larger smaller
large small
big small
optional mandatory compulsory required obligatory
voluntary mandatory compulsory required
include exclude
inclusive exclusive
inside outside
internal external
accept reject refuse decline deny
approve reject deny refuse decline
allow prohibit forbid ban prevent
permit prohibit forbid ban
permitted prohibited forbidden banned
allowed prohibited forbidden banned
open close closed
start end finish stop
add remove drop delete
introduce remove drop abolish discontinue
keep delete
retain delete
uphold dismiss overturn
begin end finish stop
gain lose
profit loss
win lose
buy sell
lend borrow
paid unpaid
full partial
full-time part-time
always never
all none
everyone nobody
eligible ineligible
covered excluded uncovered
valid invalid void
legal illegal
lawful unlawful
able unable
possible impossible
safe unsafe dangerous
same different
similar different
public private
permanent temporary
active inactive
enable disable
enabled disabled
online offline
import export
inbound outbound
employer employee
buyer seller
landlord tenant
lessor lessee
licensor licensee
insurer insured policyholder
lender borrower
borrower lender
debtor creditor
plaintiff defendant
supplier customer
parent child
male female
man woman
men women
boy girl
husband wife
father mother
son daughter
brother sister
north south
east west
northern southern
eastern western
left right
top bottom
upper lower
hot cold
warm cold
day night
morning evening night
summer winter
indoor outdoor
indoors outdoors
inside outside
domestic international foreign
national international
positive negative
better worse
best worst
improve worsen deteriorate
strong weak
stronger weaker
fast slow
faster slower
rich poor
old young new
older younger
alive dead
married single divorced
success failure
succeed fail
pass fail
asleep awake
sleep run walk swim
stand sit lie
standing sitting lying
empty full
happy sad
deductible nondeductible
refundable nonrefundable
taxable nontaxable
business calendar
oral written
orally intravenously topically
daily weekly monthly quarterly annually yearly
weekly monthly annual yearly
monthly annual quarterly yearly
gross net
current former
direct indirect
simple complex
single multiple
fixed variable
short-term long-term
acute chronic
benign malignant
hypertension hypotension
adult child
upgrade downgrade
encrypt decrypt
encrypted unencrypted
login logout
read-only writable
synchronous asynchronous
credit debit
deposit withdrawal
asset liability
front back
rear front
arrive depart
arrival departure
present absent
with without
black white red blue green yellow brown purple pink orange grey gray
"""


def _pairs() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in _ANTONYMS.strip().splitlines():
        words = line.split()
        groups = [words] if words[0] in _EXCLUSIVE else [[words[0], other] for other in words[1:]]
        for group in groups:
            for word in group:
                found.setdefault(stem(word), set()).update(stem(other) for other in group if other != word)
    return {word: frozenset(others - {word}) for word, others in found.items()}


_EXCLUSIVE = frozenset({"daily", "weekly", "monthly", "black", "standing", "orally", "sleep", "stand", "married"})
"""Lines that begin with these list words of which each excludes all others."""
ANTONYMS = _pairs()

_SYNONYMS = """
buy purchase acquire
pay remit settle compensate reimburse
refund reimburse repay reimbursement
begin start commence launch initiate
end finish conclude terminate cease expire
stop halt cease discontinue
get receive obtain
give provide supply grant offer
help assist aid support
need require must requirement depend
mandatory required require compulsory obligatory must
work job
assign transfer
allow permit authorise authorize enable
forbid prohibit ban bar disallow
cancel terminate rescind
employee staff worker personnel workforce colleague
company firm business organisation organization corporation enterprise employer
customer client buyer consumer
doctor physician
drug medicine medication
illness disease sickness
car vehicle automobile
flat apartment
home house residence dwelling
holiday vacation leave
policy plan
fee charge cost price
money fund cash
salary pay wage remuneration compensation
yearly annual annually year
monthly month
weekly week
daily day
show demonstrate indicate reveal
tell inform notify advise
ask request
send submit transmit dispatch
keep retain preserve store maintain
delete erase remove
change alter modify amend
raise increase grow rise climb
reduce decrease lower cut decline drop fall shrink
big large huge
small little tiny
whole entire full complete
about approximately roughly around
many numerous several
near close nearby
fast quick rapid
begin beginning start
child kid
kill die death
movie film
woman lady female
man guy male gentleman
photo picture photograph image
talk speak chat discuss
look watch see view
make create produce build
wrong incorrect
right correct
important significant major
limit cap maximum
minimum least
deductible excess
premium price
insured policyholder policy-holder
insurer carrier
cover include insure
exceed surpass
contain include comprise
use utilise utilize employ
join enrol enroll
leave depart exit
live reside
job position role post occupation
boss manager supervisor
manager supervisor
deadline limit
within inside
before prior
after following
until till
person people individual human
father dad
mother mom mum
usa america american us
uk britain british
eu european
tv television
phone telephone mobile
email e-mail mail
sign signature signed
approve approval authorise consent
approve sign-off
written writing
agreement contract
rule regulation
error mistake fault
try attempt
happen occur
choose select pick
confirm verify
fix repair
broken damaged
travel trip journey
flight fly plane aircraft
hospital clinic
injury wound hurt
teacher instructor
student pupil
born birth
author writer write
lead head
found establish create
consist comprise
locate situated based
know aware
also additionally
free gratis complimentary
double twice
once single
both two
entitled eligible
obtain get
back return
log record
password credential passcode
session login
encrypt encryption
backup copy
server host
bug defect
"""


def _groups() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in _SYNONYMS.strip().splitlines():
        stems = {stem(word) for word in line.split()}
        for one in stems:
            found.setdefault(one, set()).update(stems - {one})
    return {word: frozenset(others) for word, others in found.items()}


SYNONYMS = _groups()
"""Stem to stems of nearly the same meaning; a claim word licensed by one counts a little less."""
