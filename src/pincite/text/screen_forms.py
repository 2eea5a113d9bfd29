"""The forms of words that the screen knows, as regular expressions. Every repeated group is bounded.

They are written narrowly: ordinary rules address people ("Employees must follow the instructions in section 4"), and a
form that flags those is worse than none. What each finds and misses: benchmarks/quality/results/screen.json.
"""

from __future__ import annotations

_DROP = r"(?:ignor(?:e|ing)|disregard(?:ing)?|forget|override|overrule|bypass|do\s+not\s+(?:follow|obey|use))"
_OLD = r"(?:previous|prior|earlier|preceding|above|other|existing|original|former|your|system|safety)"
_RULES = (
    r"(?:instructions?|rules?|directions?|guidelines?|guidance|prompts?|messages?|polic(?:y|ies)|context|"
    r"passages?|documents?|sources?|training|restrictions?)"
)
_ANYONE = r"(?:every\s?(?:one|body)|any\s?(?:one|body)\s+who\s+asks|whoever\s+asks|all\s+users)"
_ASKER = r"(?:the|your)\s+(?:user|reader|asker|questioner)s?"
_SELF = r"(?:assistant|chat\s?bot|ai(?:\s+(?:model|system|agent|assistant))?|(?:large\s+)?language\s+model|llm)"
_MUST = r"(?:must|should|shall|has\s+to|needs?\s+to|is\s+(?:to|required)|may\s+not|will)"
_SAY = r"(?:say|tell|answer|reply|respond|state|claim|output|print|write|repeat|cite|recommend)"
_WHO = r"(?:you\s+are\s+|you're\s+|a\s+user\s+is\s+|someone\s+|anyone\s+|(?:the|a)\s+user\s+)?"
_ASKED = rf"\b(?:when|if|whenever)\s+{_WHO}asks?(?:ed)?\b"
_FILL = r"(?:(?:all|any|every|of|the|these|those|my|our)\s+){0,4}"

OVERRIDE = (
    rf"\b{_DROP}\s+{_FILL}{_RULES}\s+(?:above|before|so\s+far)\b",
    rf"\b{_DROP}\s+{_FILL}{_OLD}\s+(?:\w+\s+)?{_RULES}\b",
    rf"\b{_DROP}\s+(?:everything|anything|all(?:\s+of\s+the\s+text)?)\s+(?:above|before|you)\b",
    r"\bignorier\w*\s+(?:\w+\s+){0,3}(?:anweisung|regel|vorgabe|instruktion)\w*",
    r"\bignor(?:a|e|ar|en)\s+(?:\w+\s+){0,3}(?:instrucciones|reglas|indicaciones)\b",
    r"\bignore[rz]?\s+(?:\w+\s+){0,3}(?:consignes|règles)\b",
    r"\b(?:new|updated|real)\s+(?:system\s+)?(?:instructions?|prompt)\s*:",
)
STEERING = (
    rf"\b(?:tell|convince|assure)\s+(?:{_ANYONE}|{_ASKER})\b",
    rf"{_ASKED}[^.!?\n]{{0,80}},\s*(?:you\s+(?:must|should|will)\s+|always\s+|only\s+|please\s+)?{_SAY}\b",
    r"\b(?:always|only|never|instead)[\s,]+(?:answer|reply|respond)\s+(?:that|with|as|by|in|yes|no)\b",
    r"\b(?:answer|reply|respond)\s+(?:only\s+)?with\s+(?:the\s+(?:word|phrase|text)|exactly|[\"'“‘])",
    r"\bin\s+your\s+(?:answer|reply|response)s?\b[^.!?\n]{0,40}\b(?:include|say|cite|mention)\b",
    r"\b(?:include|append|insert|add)\b(?:[^.!?\n]|\.(?=\S)){0,60}\b(?:in|to|into)\s+(?:your|every|each)\s+(?:answer|reply|response)",
    r"\bcite\s+(?:only\s+)?this\s+(?:document|page|passage|source)\b",
)
ADDRESSED = (
    rf"\b(?:the|this|any|dear|attention,?)\s+{_SELF}s?\s+{_MUST}\s+(?:not\s+|always\s+|now\s+)?{_SAY}\b",
    rf"\b(?:you\s+are|act\s+as|pretend\s+to\s+be|you're)\s+(?:now\s+)?(?:an?\s+|the\s+)?(?:\w+\s+)?{_SELF}\b",
    rf"\b(?:dear|hey|attention|note\s+to(?:\s+the)?|instructions?\s+(?:to|for)(?:\s+the)?)[\s,:]+(?:any\s+)?{_SELF}s?\b",
    r"\b(?:reveal|print|repeat|show|output|leak)\s+(?:\w+\s+){0,2}(?:system|hidden|secret)\s+(?:prompt|instructions?)\b",
)
MARKUP = (
    r"<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[/?INST\]|<</?SYS>>",
    r"</?(?:system|untrusted|assistant)\b[^>]{0,40}>",
    r"(?m:^)\s{0,3}(?:#{1,6}\s*)?(?:system|assistant)\s*:\s",
)
HIDDEN = (
    "[\U000e0020-\U000e007f]{3,}",
    "[\u200b\u2060\u2062-\u2064]{3,}",
    "[\u202a-\u202e\u2066-\u2069]{2,}",
    "[\u202d\u202e]",
    "[\U000e0100-\U000e01ef]{2,}",
    "[\ufe00-\ufe0f]{3,}",
)
_YOURS = r"your\s+(?:final\s+|next\s+|entire\s+|whole\s+)?(?:answer|reply|response|output)s?"
_START = r"(?:^|(?<=[.!?:;,\n\"“(>|])\s{0,3}|(?<=\s)(?:please|then|and|also)\s+)"
_TARGET = r"(?:claim|statement|sentence|answer|citation|assertion)s?"
_FILE = r"[\"'“‘`]?[\w/-]{1,60}(?:\.[\w-]{1,20}){0,3}\.(?:pdf|docx?|md|html?|txt|xlsx?)\b"

OUTPUT = (
    rf"\b(?:encode|encrypt|reverse|translate|modify|enhance|enrich|finish|render|express|convert|obfuscate|scramble|augment)\s+{_YOURS}",
    (
        rf"{_START}(?:add|append|integrate|insert|embed|mention|put|incorporate|place|end|start|begin|use|apply|hide|weave|augment|replace|"
        rf"substitute|introduce|misspell|scramble|rearrange|anagram|shuffle|remove|group|combine|shift|swap)\b"
        rf"(?:[^.!?\n]|[.!?](?=[^\s])){{0,160}}\b{_YOURS}\b"
    ),
    (
        rf"\b(?:write|provide|give|present|display|render|deliver|state|reply|respond)\b[^.!?\n]{{0,30}}\b{_YOURS}\s+"
        r"(?:backwards?|reversed|in\s+(?:reverse|scrambled|anagrammed)|(?:with|using)\s+(?:intentional|alphanumeric)|without\s+any\s+spaces|(?:using|in|as|with)\s+(?:an?\s+)?(?:base\s?\d\d|morse|emojis?|cipher|caesar|hex|"
        r"json|rot\s?13|rhyme|french|german|spanish|latin|pig\s+latin|capital|upper))"
    ),
    r"\b(?:reply|respond|answer)\s+(?:only\s+)?(?:using|in|with)\s+(?:base\s?\d\d|morse|emojis?|rot\s?13|pig\s+latin|hex)\b",
    rf"\bin\s+{_YOURS}\s*,\s*(?:please\s+)?(?:include|mention|suggest|add|hint|promote|reference|recommend|state|say)\b",
    r"\b(?:refuse|decline)\s+to\s+(?:answer|help\s+with)\s+(?:this|the|any|every|all)\s+(?:user|question|request|quer)",
    (
        rf"{_START}(?:say|answer|reply|respond|write|output)\s+(?:only\s+|instead\s+)?(?:that\s+)?[\"“'‘]?(?:the\s+(?:passages?|"
        r"documents?|sources?)\s+(?:do|does|did|cannot|have)|not\s+in\s+the\s+passages|you\s+(?:cannot|can't|do\s+not|don't))"
    ),
)
ROLE = (
    (
        r"\byou\s+are\s+(?:now\s+)?(?:dan\b|in\s+(?:developer|debug|god|admin(?:istrator)?|maintenance)\s+mode|no\s+longer\s+"
        r"(?:bound|restricted|limited|an?\s+(?:\w+\s+)?assistant)|unrestricted|an?\s+unrestricted|free\s+(?:of|from)\s+)"
    ),
    r"\b(?:enter|enable|activate|switch\s+to)\s+(?:the\s+)?(?:developer|debug|god|jailbreak|unrestricted|admin\s+override)\s+mode\b",
    rf"{_START}(?:pretend|imagine|act\s+as\s+(?:if|though))\s+(?:that\s+)?(?:you\s+(?:are|have|were|know)|this\s+(?:passage|document)\s+is)\b",
    (
        r"\b(?:role[\s-]?play\s+as|play\s+the\s+(?:role|part)\s+of\s+an?\s+(?:unrestricted|evil|different)|from\s+now\s+on,?\s+you\s+"
        rf"(?:are|will|must)\s+(?:an?|the|only|always|never|{_SAY}))\b"
    ),
    r"\byou\s+(?:have|do\s+not\s+have|don't\s+have)\s+(?:no\s+|any\s+)(?:restrictions|rules|guidelines|content\s+policy)\b",
)
CITATION = (
    (
        rf"\b(?:cite|quote|name|give|credit|reference)\s+(?:only\s+|the\s+file\s+)?{_FILE}\s*[\"'”’`]?\s+(?:as|for|in|at|after|on|whenever|"
        r"instead|under)\b"
    ),
    rf"\bcite\s+(?:only\s+)?{_FILE}",
    r"\bcite\s+(?:only\s+|it\s+as\s+|this\s+as\s+|to\s+)?(?:passage|source|handle|document)\s+\W?(?:[A-Z]?\d|one|two|three|first|last)",
    r"\bcite\s+(?:only\s+)?(?:this|the\s+(?:first|last|other|next|wrong|second))\s+(?:passage|source|document|page|handle|one)\b",
    (
        rf"\b(?:mark|label|report|treat|rate|count|score|judge)\s+(?:\w+\s+){{0,4}}{_TARGET}\s+(?:\w+\s+){{0,3}}(?:as\s+)?(?:fully\s+)?"
        r"(?:supported|grounded|cited|faithful|unsupported|contradicted)\b"
    ),
    rf"\b(?:attribute|credit)\s+(?:this|the|every|all|each|your)\s+(?:\w+\s+)?{_TARGET}\s+to\b",
    r"\b(?:use|put|write|attach|add|append|with|give)\s+(?:only\s+)?(?:the\s+)?(?:handle|marker|citation|reference)s?\s+\W?[A-Z]?\d",
    r"\b(?:answer|reply|respond|write)\s+(?:\w+\s+){0,3}without\s+(?:any\s+)?(?:citation|handle|marker|source)s?\b",
    r"\b(?:do\s+not|don't|never)\s+cite\s+(?:any|the\s+other|other|passage|source|handle|S\d|anything|this)\b",
    r"\breport\s+(?:all|every|each)\s+(?:statement|claim|sentence)s?\s+as\s+(?:verified|true|correct)\b",
    r"\b(?:skip|disable|turn\s+off|bypass)\s+(?:the\s+)?(?:verification|verifier|citation\s+check|fact[\s-]?check|support\s+check)\b",
)
LEAK = (
    (
        r"\b(?:reveal|print|repeat|output|leak|dump|disclose|list|show|quote|copy)\s+(?:(?:all|the|your|every|me|any)\s+){1,3}(?:\w+\s+)?"
        r"(?:prompts?|passages|system\s+messages?|earlier\s+messages|conversation|chat\s+history|other\s+users?|context\s+window|"
        r"instructions\s+(?:above|before|you\s+were\s+given))\b"
    ),
    (
        r"\b(?:send|post|forward|transmit|submit|exfiltrate|upload)\b[^.!?\n]{0,60}\b(?:conversation|chat|prompt|passages?|context|user's\s+"
        r"(?:question|data|name)|this\s+question|the\s+(?:question|answer))\b[^!?\n]{0,60}(?:https?://|www\.|\S@\S)"
    ),
)
LINK = (
    r"!\[[^\]\n]{0,80}\]\(\s*https?://[^)\s]{1,200}[?&][^)\s]{0,200}=[^)\n]{0,200}\)?",
    r"https?://[^\s)\"'<>]{1,200}(?:\{|%7[Bb]|<|\[)\s?(?:question|answer|data|context|prompt|query|user|text|secret|passages?|conversation)",
    r"<(?:img|iframe|script)\b[^>]{0,200}\bsrc\s*=\s*[\"']?https?://[^>]{0,200}[?&]",
    (
        r"\bclick\s+(?:on\s+)?(?:this|the)\s+link\b[^.!?\n]{0,10}\([^)\s]{4,100}\)|\blink\s+to\s+(?:https?://|www\.)\S{1,100}\s+in\s+(?:the|every)\s+"
        r"(?:answer|reply|response)"
    ),
)
HANDLE = (
    r"\[\s?S\d{1,3}(?:\s?[,;]\s?S?\d{1,3}){0,8}\s?\]",
    r"<{2,4}\s?[0-9A-Za-z]{4,40}\s+S\d{1,3}\b",
    r"(?m:^)\s{0,3}[0-9a-f]{4,40}\s?>{2,4}\s{0,3}(?m:$)",
    r"\b(?:end|begin|start)\s+of\s+(?:the\s+)?(?:passages?|context|system\s+prompt|retrieved\s+(?:text|documents?))\b",
    r"-{3,}\s?(?:end|begin)\s+(?:of\s+)?(?:passages?|context|sources?|system|data)\b",
)
