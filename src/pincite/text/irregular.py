"""English forms that no ending explains, each with the stem it goes by."""

from __future__ import annotations

_GROUPS = """
add adds added adding
pay paid payment payments payable payout
cover coverage coverages
eligible eligibility eligibly
go went gone goes
begin began begun beginning
buy bought
bring brought
catch caught
choose chose chosen choice choices
come came
do did done does
draw drew drawn
drive drove driven driver
eat ate eaten
fall fell fallen
feel felt
find found findings
fly flew flown flight flights
forget forgot forgotten
get got gotten
give gave given
grow grew grown growth
hear heard
hold held holding
keep kept
know knew known knowledge
lead led
leave left
lend lent lender
lose lost loss losses losing
make made
mean meant
meet met meeting meetings
rise rose risen
run ran
say said says
see saw seen
seek sought
sell sold
send sent
show showed shown
sit sat
speak spoke spoken
spend spent
stand stood
steal stole stolen
take took taken
teach taught
tell told
think thought
throw threw thrown
understand understood
wear wore worn
win won
withdraw withdrew withdrawn withdrawal withdrawals
write wrote written
bear bore borne born birth
child children
man men
woman women
person people persons
foot feet
tooth teeth
use usage uses used
deliver delivery deliveries delivered
maintain maintenance
retain retention
exceed excess
renew renewal renewals
retire retirement
receive receipt receipts
decide decision decisions
extend extension extensions
expire expiry expiration expires expired
enter entry entries
comply compliance compliant
refuse refusal
respond response responses
submit submission submissions
admit admission admissions
permit permission permissions
store storage
marry married marriage
die died dead death deaths dying
analyse analyze analysis analyses
high height
long length
deep depth
wide width
strong strength
weigh weight
reside resident residents residence
assist assistant assistance
depart departure
arrive arrival
fail failure failures
proceed proceedings proceeding
succeed success successful
different difference differ differs
"""
STEMS = {form: line.split()[0] for line in _GROUPS.strip().splitlines() for form in line.split()}
KEPT = frozenset(
    """
    number never ever over under after other later order offer enter water paper letter member either whether
    matter manner summer winter former higher lower upper inner outer per only early daily weekly monthly yearly
    until rally reply apply supply family july final total capital hospital rational general several city
    quality rate date late state create private climate debate plate gate fate hate mate estate color colour
    major minor senior junior prior error mirror doctor director factor sector motor vector honor honour favor
    favour labor labour terror interior exterior employee employer insurer lessor lessee mortgagor mortgagee licensor
    licensee payer payee committee fee free degree agree three see tree guarantee moment comment element
    document segment cement million billion nation station region religion version mission session vision
    passion onion union lion action section question position condition mention option portion pension mansion
    tension auction fraction function oral moral rural royal loyal legal local vocal equal ideal deal real meal
    heal steal appeal animal journal manual annual metal petal medal pedal sandal scandal rival arrival trial
    bail ail table cable able stable fable dance chance advance balance finance france glance science audience
    evidence conference difference sentence silence absence presence violence essence fence pence hence whence
    once size prize wise rise noise raise praise exercise promise premise surprise enterprise otherwise likewise
    """.split()  # noqa: SIM905 - a word list is read and edited as one
)
"""Words that look as if they had an ending to take off."""
