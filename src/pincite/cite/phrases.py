"""The known forms of courtesies, refusals, guidance and offers: English, German, French, Spanish, Hindi, Chinese.

Each is matched against a whole sentence. A language or form that is missing here makes the sentence
factual, which only asks for support where none was needed.
"""

# ruff: noqa: E501 - an alternative a line reads better than a broken one

from __future__ import annotations

import re

_I = re.IGNORECASE

NUMBER_WORDS = (
    "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|hundred|"
    "thousand|million|half|twice|double|triple|percent|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|zwanzig|dreißig|"
    "hundert|tausend|halbe?|doppelt|prozent|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|douze|vingt|trente|cent|mille|"
    "dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|veinte|treinta|cien|mil|mitad|doble|"
    "january|february|march|april|june|july|august|september|october|november|december|"
    "monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|tomorrow|yesterday"
)
FACT_WORDS = (
    "no|none|nobody|zero|must|mandatory|optional|required|requires?|obligatory|allowed|permitted|prohibited|forbidden|free|unlimited|always|"
    "never|only|except|excluded|included|unless|entitled|eligible|covered|covers|cannot|can't|won't|doesn't|isn't|aren't|"
    "not|no longer|expires?|costs?|pays?|owes?|shall|will|limited|guaranteed|automatically|immediately|illegal|"
    "muss|müssen|pflicht|freiwillig|erlaubt|verboten|kostenlos|immer|nie|niemals|nur|außer|nicht|kein|keine|darf|dürfen|"
    "doit|doivent|obligatoire|facultati(?:f|ve)|gratuit|toujours|jamais|interdit|autorisé|sauf|pas|"
    "debe|deben|obligatori[oa]|opcional|gratis|siempre|nunca|prohibid[oa]|permitid[oa]|salvo"
)
FINITE_VERBS = (
    "is|are|was|were|am|be|been|has|have|had|does|did|can|could|may|might|should|would|gets?|gives?|receives?|applies|apply|"
    "ends|begins|starts|lasts|includes?|means|says|states|needs?|allows?|expire|takes?|remains?|becomes?|exists?|provides?|"
    "works?|reports?|owns?|offers?|uses?|rose|fell|grew|increased|decreased|approved|denied|rejected|resigned|closed|"
    "ist|sind|war|waren|hat|haben|hatte|wird|werden|kann|können|gilt|gelten|beträgt|sollte|endet|beginnt|bekommt|erhält|"
    "est|sont|était|ont|peut|peuvent|sera|dure|es|son|era|tiene|tienen|puede|pueden|será|está|están|dura|hay"
)
TURNS = (
    "but|however|although|though|because|since|yet|still|nevertheless|instead|otherwise|whereas|while|therefore|so that|"
    "which|who must|and that|except|given that|as it|as they|as the|as this|actually|in fact|note that|that's|it's|"
    "aber|jedoch|obwohl|weil|sondern|denn|allerdings|da die|da der|da das|mais|cependant|car|parce que|puisque|pero|aunque|"
    "porque|sin embargo|ya que"
)

_WHERE = (
    r"(?:(?:in|from|within|based on|using|among|across)\s+(?:any of\s+)?(?:the|these|this|my|our|your|those|all)?\s*"
    r"(?:provided|given|available|supplied|retrieved|uploaded|current|above|following|searched|relevant|supporting)?\s*"
    r"(?:documents?|sources?|passages?|context|material|materials|library|texts?|files?|excerpts?|documentation|records|"
    r"information|knowledge base|documents? provided|information provided|sources? provided|context provided))"
)
_DOCS = (
    r"(?:the|these|those|my|your|our|this)\s+(?:provided|given|available|supplied|retrieved|uploaded)?\s*"
    r"(?:documents?|sources?|passages?|context|materials?|library|texts?|files?|excerpts?|documentation|information)"
    r"(?:\s+(?:provided|given|available|supplied|that i (?:have|can see)))?"
)
_SORRY = r"(?:(?:i'm|i am|we are|i’m)\s+(?:very\s+|really\s+)?(?:sorry|afraid)\b,?\s*(?:but|that)?\s*|(?:unfortunately|sorry|regrettably|apologies),?\s+(?:but\s+)?|no,\s+)?"
_FIND = (
    r"(?:(?:(?:could|can|was|am|were|are|did|do)\s*(?:not|n't|n’t)|cannot|am unable to|was unable to|are unable to|were unable to)\s*"
    r"(?:able to\s+)?(?:find|locate|see|answer|determine|confirm|tell|say|verify|provide|identify|help with)"
    r"|(?:do|did)\s*(?:not|n't|n’t)\s*(?:have|know))"
)
_THING = (
    r"(?:any|an?|the|this|that|your|it|enough|sufficient|specific|relevant|further|more|to|you)?\s*(?:any\s+)?"
    r"(?:specific\s+|relevant\s+|definitive\s+|reliable\s+|further\s+|clear\s+)?"
    r"(?:information|answer|details?|question|mention|evidence|statement|passages?|documents?|data|anything|it|this|that)?"
)

REFUSAL = re.compile(
    rf"{_SORRY}(?:"
    rf"(?:i|we)\s+{_FIND}\s*{_THING}(?:\s*(?:{_WHERE})?\s*(?:on|about|regarding|concerning|for|of|to answer|that answers|to)?\s*"
    rf"(?P<topic>[^.!?]*?))?(?:\s+{_WHERE})?"
    rf"|{_DOCS}\s+(?:do|does|did)(?:\s+not|n't|n’t)\s+(?:say|mention|contain|cover|answer|include|specify|state|address|provide|"
    rf"give|describe|discuss)(?:\s+(?:anything|any information|information|details?))?\s*(?:on|about|regarding|concerning)?\s*"
    rf"(?P<topic2>[^.!?]*?)"
    rf"|(?:there\s+is|there's)\s+(?:no|not enough)\s+(?:information|mention|answer|evidence)(?:\s+(?:on|about|of|regarding|concerning|to)\s+"
    rf"(?P<topic3>[^.!?]*?))?(?:\s*{_WHERE})?"
    rf"|no\s+(?:answer|relevant information|information)(?:\s+(?:was\s+)?found)?(?:\s+{_WHERE})?"
    r")[.!]?"
    r"|i\s+(?:do not|don't|don’t)\s+know[.!]?|idk[.!]?|not(?:hing)?\s+(?:was\s+)?found[.!]?|no answer[.!]?"
    r"|(?:es tut mir leid|leider|tut mir leid)?,?\s*(?:aber\s+)?(?:ich\s+(?:konnte|kann)|konnte\s+ich|kann\s+ich)\s+"
    r"(?:dazu|diese frage|das|dies|darüber|hierzu)?\s*(?:in den (?:dokumenten|unterlagen|quellen))?\s*"
    r"(?:nicht|nichts|keine (?:informationen|angaben|antwort))\s*(?:dazu|darüber)?\s*"
    r"(?:in den (?:dokumenten|unterlagen|quellen))?\s*(?:finden|beantworten|sagen)[.!]?"
    r"|die (?:dokumente|unterlagen|quellen) (?:enthalten|sagen|nennen) (?:dazu |hierzu )?(?:nichts|keine (?:informationen|angaben|antwort))"
    r"(?: dazu| darüber| hierzu)?[.!]?"
    r"|(?:je suis désolée?|désolée?|malheureusement),?\s*(?:mais\s+)?je n(?:e|'ai|’ai)\s+(?:peux pas|pas (?:pu )?trouvé?r?)\s*"
    r"(?:répondre|trouver)?\s*(?:à cette question|cette information|la réponse|de réponse|d'information)?\s*(?:dans les documents)?[.!]?"
    r"|les documents ne (?:répondent pas à cette question|contiennent pas (?:cette information|la réponse))[.!]?"
    r"|(?:lo siento|lamentablemente),?\s*(?:pero\s+)?no (?:puedo|pude|he podido) (?:encontrar|responder)\s*"
    r"(?:a )?(?:esta pregunta|esta información|la respuesta|esa información)?\s*(?:en los documentos)?[.!]?"
    r"|los documentos no (?:responden (?:a )?esta pregunta|contienen (?:esta información|la respuesta))[.!]?"
    r"|(?:抱歉|很抱歉|对不起)[，,]?(?:我)?(?:无法|不能|没有)?(?:在(?:文档|文件|资料)中)?(?:找到|回答)(?:这个|该|您的)?(?:相关)?(?:信息|问题|答案|内容)?[。！]?"
    r"|(?:文档|文件|资料)中没有(?:相关|这方面的)?(?:信息|内容|答案)[。！]?"
    r"|(?:क्षमा करें|माफ़ कीजिए|माफ़ करें),?\s*(?:मुझे\s+)?(?:दस्तावेज़ों में\s+)?(?:यह\s+)?(?:जानकारी|उत्तर)?\s*नहीं (?:मिली|मिला|दे सकता|दे सकती)[।!]?"
    r"|दस्तावेज़ों में (?:यह|इसकी|इस बारे में) (?:जानकारी|उत्तर) नहीं (?:है|मिली|मिला)[।!]?",
    _I,
)

_SIR = r"(?:\s+(?:there|everyone|all|team|again))?"
COURTESY = re.compile(
    rf"(?:hello|hi|hey|greetings|dear\s+(?:colleague|customer|sir or madam)|good\s+(?:morning|afternoon|evening|day)){_SIR}"
    r"(?:,?\s+(?:and\s+)?(?:thank you|thanks)\s+for\s+(?:your\s+)?(?:question|asking|message|patience|reaching out))?[.!,]?"
    r"|(?:sure|certainly|of course|okay|ok|great|understood|no problem|you're welcome|you are welcome|welcome|"
    r"thanks|thank you|many thanks|cheers|goodbye|bye|best regards|kind regards|great question|good question|"
    r"that's a (?:great|good) question|that(?:'s|’s| is) (?:it|all)|happy to help|glad to help|i(?:'m|’m| am) (?:happy|glad) to help|sorry|apologies|"
    r"my apologies|i(?:'m|’m| am) sorry|i apologi[sz]e|unfortunately)(?:\s+(?:thing|you|again|for asking|for your question))?[.!,]?"
    r"|(?:thank you|thanks) for (?:your (?:question|message|patience)|asking|reaching out)[.!]?"
    r"|i hope (?:this|that) (?:helps|answers your question|is helpful)[.!]?"
    r"|(?:please\s+)?(?:let me know|feel free to (?:ask|reach out)) if (?:you (?:have|need)|there is|there's|i can help with)"
    r"(?:\s+(?:any|anything|more|other|further|additional|questions?|help|else|information|details?|or))*[.!]?"
    r"|(?:hallo|guten (?:tag|morgen|abend)|gerne?|natürlich|klar|danke|vielen dank|bitte|grüß gott|auf wiedersehen|"
    r"mit freundlichen grüßen|ich hoffe,? das hilft(?: ihnen)?)(?: (?:zusammen|ihnen|für ihre frage))?[.!,]?"
    r"|(?:bonjour|bonsoir|salut|bien sûr|merci|d'accord|avec plaisir|cordialement|au revoir|j'espère que cela vous aide)"
    r"(?: (?:à tous|beaucoup|pour votre question))?\s?[.!,]?"
    r"|¡?(?:hola|buenos días|buenas (?:tardes|noches)|claro|por supuesto|gracias|de nada|adiós|saludos|espero que esto ayude)"
    r"(?: (?:a todos|por su pregunta))?[.!,]?"
    r"|(?:你好|您好|好的|当然|谢谢|不客气|再见|希望对您有帮助|希望这对您有帮助)[。！，!]?"
    r"|(?:नमस्ते|नमस्कार|धन्यवाद|ज़रूर|बिल्कुल|जी हाँ,? ज़रूर)(?: जी)?[।!,]?",
    _I,
)

_FOUND = r"(?:what|the (?:answer|information|details|results?|summary|passages?)|a (?:brief |short |quick )?(?:summary|overview|answer|list|breakdown))"
ALSO_META = re.compile(
    rf"(?:(?:based on|according to|from) {_DOCS},?\s*)?(?:here(?:'s|’s| is| are)|below (?:is|are)|this is|the following is) {_FOUND}"
    r"(?: (?:that )?(?:i|we) (?:found|could find|have|know|can say|can tell you))?"
    r"(?: (?:of|from|in) (?:what (?:i|we) found|the (?:provided |given |relevant )?(?:documents?|sources?|passages?|rules?|policy|policies)))?"
    r"(?: (?:for|to) (?:you|your question))?\s*[:.]?"
    rf"|(?:based on|according to|from) {_DOCS}\s*[:,]?"
    r"|(?:in (?:summary|short|brief|conclusion)|to (?:summari[sz]e|sum up)|summary|conclusion|overview|answer|details|note|notes|"
    r"short answer|key points|in detail|as follows|see below|sources?|references?|the short answer)\s*[:,.]?"
    r"|(?:hier ist|hier sind|folgendes habe ich gefunden|das habe ich gefunden|das sagen die dokumente|zusammenfassung|antwort|kurz gesagt|"
    r"quellen?|hier ist,? was ich gefunden habe|hier ist die antwort|hier ist eine zusammenfassung)\s*[:,.]?"
    r"|(?:voici (?:ce que j'ai trouvé|la réponse|un résumé)|en résumé|résumé|réponse|sources?)\s*[:,.]?"
    r"|(?:esto es lo que encontré|aquí está (?:la respuesta|un resumen)|en resumen|resumen|respuesta|fuentes?)\s*[:,.]?"
    r"|(?:以下是(?:我找到的内容|答案|摘要|相关信息)?|总结|答案|来源|根据(?:提供的)?(?:文档|文件|资料))[：:，,。]?"
    r"|(?:यह रहा (?:उत्तर|सारांश)|उत्तर|सारांश|संक्षेप में|स्रोत)[:：।,]?",
    _I,
)

_TARGET = (
    r"(?:(?:the|your|our|my|an?|their|his|her)\s+)?(?:[\w&/'’-]+\s+){0,5}?(?:hr|human resources|it|manager|supervisor|team|"
    r"department|desk|helpdesk|support|office|officer|administrator|admin|representative|advisor|adviser|adjuster|underwriter|"
    r"agent|doctor|lawyer|counsel|service|lead|owner|us|me|staff|personnel|policy|document|documents|documentation|handbook|"
    r"guide|intranet|portal|page|website|contract|section|source|sources|colleague|partner|expert|professional|"
    r"line manager|people team|legal|finance|payroll|compliance|security)"
)
_BITTE = r"(?:(?:bei|für) (?:weiteren? )?(?:fragen|rückfragen|informationen),? )?(?:bitte\s+)?(?:wenden sie sich|kontaktieren sie|fragen sie|sprechen sie)(?:\s+bitte)?\s*(?:an|mit)?\s*"
CONTACT = re.compile(
    r"(?:(?:for|if you (?:need|have|want|would like))\s+(?:more|further|any|additional|other|some)?\s*"
    r"(?:information|details?|questions?|help|assistance|concerns?),?\s+)?"
    r"(?:please|kindly|you (?:can|could|may(?: want to| wish to)?|might want to|should)|i (?:recommend|suggest)(?: (?:that )?you)?|"
    r"it(?:'s| is) best to)?\s*(?:also\s+)?"
    r"(?:contact|ask|consult|check (?:with|back with)|reach out to|speak (?:to|with)|talk (?:to|with)|get in touch with|confirm with|"
    r"turn to|refer to|see|email|e-mail|call|check|review|read|visit|write to|message)(?:ing)?\s+"
    rf"(?P<target>{_TARGET}(?:\s+(?:or|and|/)\s+{_TARGET})?)"
    r"(?P<tail>\s+(?:for|about|regarding|before|if|with|directly|first|to|when|concerning|on|of)\b[^.!?,;:]{0,80})?[.!]?"
    r"|" + _BITTE + r"(?:die|den|das|ihre|ihren|ihr|unsere|unseren|der)?\s*(?:[\w-]+\s+){0,2}?"
    r"(?:personalabteilung|vorgesetzten?|führungskraft|kundendienst|support|abteilung|hr|team|it|ansprechpartner)(?P<tail2>)[.!]?"
    r"|(?:pour plus d(?:'|’)informations?,? )?(?:veuillez|merci de)\s+(?:contacter|consulter|demander à|vous adresser (?:à|au))\s+(?:le|la|les|votre|l'|nos?|notre)?\s*"
    r"(?:service|responsable|manager|équipe|rh|ressources humaines|support)(?: (?:rh|client|clients|des ressources humaines))?[.!]?"
    r"|(?:para (?:más|obtener más) información,? )?(?:por favor,?\s+)?(?:contacte|consulte|póngase en contacto|pregunte|comuníquese)\s+(?:con\s+|a\s+)?(?:el|la|su|nuestro|nuestra)?\s*"
    r"(?:departamento|responsable|supervisor|equipo|rr\. ?hh\.|recursos humanos|soporte)(?: de (?:recursos humanos|soporte))?[.!]?"
    r"|(?:如有(?:任何)?(?:疑问|问题)，?)?请(?:联系|咨询|询问)(?:您的|你的)?(?:人力资源部?|人事部?|经理|主管|客服|技术支持)[。！]?"
    r"|कृपया (?:अपने )?(?:एचआर|मानव संसाधन|प्रबंधक|सहायता टीम) से (?:संपर्क करें|पूछें)[।!]?",
    _I,
)

OFFER = re.compile(
    r"(?:would you like|do you (?:want|need|have|mean)|can i|could i|may i|shall i|should i|could you|can you|would you|are you|"
    r"which|what|who|where|when|how|is there anything|is that|is this|did you mean|have you|why|"
    r"möchten sie|soll ich|kann ich|können sie|welche|was|wie|wer|voulez-vous|souhaitez-vous|puis-je|pouvez-vous|quel|"
    r"¿?(?:quiere|desea|puedo|puede|cuál|qué)|您|请问|是否|क्या आप|क्या मैं)\b",
    _I,
)

LEAD_IN = re.compile(
    r"(?:(?:the|these|those|this|our|your|its|all)?\s*(?:[\w'’()/-]+\s+){0,9}?)?(?:are|is|include|includes|apply|applies|follow|follows|be|"
    r"as follows|are as follows|is as follows|are the following|is the following|following|below|these|sind|ist|gelten|gilt|lauten|"
    r"folgende|folgenden|sont|est|suivants?|suivantes?|son|es|siguientes)"
    r"|(?:here are|here is|hier sind|voici)"
    r"(?:\s+[\w'’-]+){0,8}",
    _I,
)
