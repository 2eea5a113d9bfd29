"""Function words: too common to tell one statement from another. Negations and modal verbs are among them.

The verify step reads negation, modality and quantifiers by itself; here they only carry no topical weight.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ENGLISH = _words(
    """
    a about above after again all also although always am an and any anybody anyone anything are aren't as at be
    because been before being below between both but by can can't cannot could couldn't did didn't do does
    doesn't doing don't done down during each either else ever every everybody everyone everything few for from
    further had hadn't has hasn't have haven't having he her here hers herself him himself his how however i if in
    into is isn't it it's its itself just least less many may me might mine more most much must mustn't my myself
    neither never no nobody none nor not nothing now of off on once one ones only onto or other others our ours
    ourselves out over own per quite rather same shall shan't she should shouldn't since so some somebody someone
    something such than that that's the their theirs them themselves then there there's therefore these they this
    those though through thus to too toward towards under unless until up upon us very via was wasn't we were
    weren't what whatever when whenever where wherever whether which whichever while who whoever whom whose why
    will with within without won't would wouldn't yet you your yours yourself yourselves yes ok
    also get gets got getting let lets us etc i'm you're we're they're i've you've we've they've i'll you'll
    """
)
OTHER = _words(
    """
    der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine keinen keinem keiner
    ist sind war waren wird werden wurde wurden kann können muss müssen soll sollen darf dürfen hat haben hatte
    ich du er sie es wir ihr mich mir ihn ihm uns euch sich mein dein sein unser euer ihre ihrer ihrem ihren
    im in am an auf aus bei mit nach von vor für um über unter zu zum zur als auch wenn dass ob wie was wer wo
    le la les l un une des du de d et ou mais ne pas n' est sont était être été sera peut doit ce cet cette ces
    il elle ils elles on nous vous je tu se sa son ses leur leurs dans en au aux par pour sur avec sans sous que
    qui dont où si plus moins très tout toute tous toutes
    el los las unos unas del al y o u pero no es son era eran ser sido será puede debe este esta estos estas ese
    esa eso su sus se lo que quien cuando donde como por para con sin sobre entre más menos muy todo toda todos
    dan yang di ke dari untuk dengan pada adalah ini itu atau tidak bukan dalam oleh sebagai akan telah juga ia
    है हैं था थे थी का की के को से में पर और या नहीं यह वह इस उस एक हो होता होती होते कर करना लिए ने भी तक तो ही
    的 了 是 在 和 或 不 也 就 都 而 及 与 之 为
    は が を に で と も の へ や から まで です ます した する ない
    """
)
FUNCTION_WORDS = ENGLISH | OTHER
