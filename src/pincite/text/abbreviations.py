"""Words before a full stop that do not end a sentence, or end one only when the next word says so.

All lower case, without the last full stop. Sorted by what may follow.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEVER_END = _words(
    """
    ee e.g eg i.e ie viz cf vs vgl approx incl excl resp dr mr mrs ms mx prof hon capt sgt cmdr gov sen st ste
    messrs mme mlle mgr supt insp asst assoc dept ibid a.k.a aka f.k.a d.b.a b.v.m z.b d.h d.i u.a u.u i.d.r
    i.s.d i.v.m i.a i.s o.ä o.g s.o s.u v.a z.t z.zt m.e m.w b.z.w bzw bspw sog ggf evtl inkl exkl zzgl abzgl ca
    dipl hr frl geb vorm nachm entspr einschl insb insbes betr bez n.chr v.chr sogen allg ausschl grds p.ex
    c.-à-d c.à.d mmes éd p.ej sr sra srta dra ud uds vd vds aprox núm admón excmo ilmo sigg dott avv ecc.mo
    d.ssa p.es nr exma drs bijv d.w.z m.b.t o.a t.a.v gen.-maj mt mts v sig.ra sig.na
    """
)
"""A sentence never ends here."""

BEFORE_NUMBER = _words(
    """
    no nos nr núm num n sec secs sect art arts abs ziff ziffer buchst lit fig figs tab tbl ch chap chs cl cls p
    pp pg s ss para paras par pt pts vol vols v ver vers bk ed eq eqs ex app appx sch sched reg regs tit bd bde
    kap anl anh anm fn nn fol ff f st rn rz tz cap apdo pág págs art.º aufl jg ln col cols tel fax ext max min
    ca c approx abb al jan feb mar apr jun jul aug sep sept oct nov dec okt dez mai janv févr juil déc ene abr
    ago mind n° nº cir dist supp
    """
)
"""A sentence does not end here when a number, a roman numeral or a section sign follows."""

MAY_END = _words(
    """
    etc al usw u.s.w ecc inc ltd co corp bros llc plc gmbh jr sr esq phd ph.d m.d b.a m.a b.sc m.sc b.s m.s
    d.d.s j.d ll.m ll.b r.n d.c u.s u.k u.n e.u u.s.a u.s.c c.f.r a.m p.m a.d b.c b.c.e c.e n.v b.v s.a s.p.a
    s.r.l s.l a.g e.v k.k p.c l.p l.l.c l.l.p d.v.m c.p.a univ assn mfg intl natl ave blvd rd hwy apt bldg tsd
    mio mrd o.j u.v.m dgl ders usf rev rep gen col lt str env est ed eds ex es orig op cit loc fr pres sig med
    jur phil rer nat oec h.c habil
    """
)
"""A sentence ends here only before a word that commonly opens one, or before a line's end."""

OPENERS = _words(
    """
    the a an this that these those it its he she we you they i his her our your their there here in on at by for
    from to with as if when while after before since because although though however therefore thus hence
    moreover furthermore also but and or so yet no not nor all any each every some most many both either neither
    such what which who whose where why how please note see once until unless during under over between among
    within without upon per according employees customers members users section then than can do does did is are
    was were has have had may must should will would could der die das den dem des ein eine einen einem einer
    dies diese dieser dieses es er sie wir ihr ich im am beim zum zur auf aus bei mit nach von vor für um über
    unter wenn falls sofern soweit weil da dass ob aber und oder doch auch nicht kein keine alle jede jeder
    bitte hier dort dann danach außerdem jedoch daher deshalb le la les l' un une ce cet cette ces il elle nous
    vous ils elles je dans en au aux par pour sur avec sans si lorsque quand mais et ou donc ni car tout toute
    tous toutes chaque el los las una unos unas este esta estos estas ese esa eso esto ella nosotros ellos ellas
    se del al por para con sin cuando pero y o todo toda todos todas cada
    """
)
"""Words that commonly open a sentence, lower case: English, German, French, Spanish."""

LOWER_OPENERS = _words(
    """
    the a an it its this that these those we you they he she i if please there no all each every when once
    however customers employees members users der die das es wir sie er wenn bei le la les il elle nous el los
    las ella
    """
)
"""Words that a sentence written all in lower case may begin with. No conjunctions: "zum 15. oder zum 30."."""

ORDINAL_NOUNS = _words(
    """
    januar jänner februar märz april mai juni juli august september oktober november dezember jan feb mär apr
    jun jul aug sep sept okt nov dez jahrhundert jh quartal halbjahr jahrtausend auflage ausgabe lebensjahr
    stock stockwerk etage klasse weltkrieg tag woche monat jahr absatz satz kapitel abschnitt teil rang platz
    änderung nachtrag
    """
)
"""German words that an ordinal ("am 3. Mai", "im 19. Jahrhundert") stands before."""

BEFORE_ORDINAL = _words(
    """
    am vom zum im der den dem das des bis ab seit ein einen beim jeden jedem zur und
    """
)
"""German words that stand before an ordinal."""
