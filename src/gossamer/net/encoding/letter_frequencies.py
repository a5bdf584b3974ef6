"""Letter frequencies and frequent words of languages, for the guess of an encoding.

Shares were counted in the word lists of the wordfreq package and rounded; those of Thai, Estonian, Irish, Welsh,
Esperanto, Serbian and Belarusian were set by hand and then tested on texts.
"""

# Each letter outside ASCII with its share in per cent of all such letters; no figure means below 1.
LETTERS = {
    "en": "é40 è6 ñ6 ü6 ö5 á5 ï5 ç5 í4 ó4 ê3 à3 ä3 ë2 â2 ô2 ø1 å1 æ1",
    "de": "ü40 ä33 ö15 ß12 é",
    "fr": "é60 à15 è10 ê5 ç4 ô2 â1 î1 ù1 û1 œ1 ï ë",
    "es": "ó28 í24 á20 é13 ñ8 ú6 ¿1 ¡1 ü º ª",
    "it": "è38 à25 ù13 ò9 é7 ì7 á í ó ú",
    "pt": "ã25 é17 ç15 á12 í8 ê6 ó6 ú3 õ3 à2 â1 ô1 º ª ü",
    "nl": "é38 ë36 ï8 è4 ó3 ü2 ö1 á1 ç1 í1 à1 ê â ñ ä ô î",
    "sv": "ä43 å33 ö23 é1",
    "da": "å45 æ28 ø26 é1",
    "nb": "å62 ø27 æ7 é1 ö ò ô",
    "fi": "ä90 ö9 å š ž é",
    "is": "ð28 í16 á16 þ11 ó6 æ6 ö6 ú5 é5 ý1",
    "ca": "é23 ó19 à14 í11 è11 ò9 ç4 ú4 ·2 ï1 ü1 á ñ",
    "ga": "á30 í25 é18 ó15 ú12",
    "cy": "â25 ô25 ê15 î10 ŵ15 ŷ7 û3 á ï ö",
    "pl": "ł21 ę19 ż14 ą13 ó11 ś10 ć8 ń2 ź1",
    "cs": "í21 á17 ě13 ž9 ř8 é8 č7 š6 ý6 ů3 ú1 ň ď ť ó",
    "sk": "á18 ž10 č10 ý10 í10 š9 é7 ú7 ť7 ľ4 ô2 ď2 ň1 ó1 ä1 ĺ ŕ",
    "hu": "é32 á28 ö10 ó8 ő7 ü5 í5 ú3 ű2",
    "sl": "č46 š33 ž21 ć đ",
    "hr": "š33 č25 ž19 ć16 đ7",
    "ro": "ă38 ş17 ţ16 î16 â12",
    "tr": "ı40 ü17 ş14 ç11 ğ9 ö7 İ1 â î",
    "lt": "ė21 ų18 š16 ž12 ą10 į8 ū7 č5 ę2",
    "lv": "ā38 ī18 ē16 š9 ū6 ņ4 ļ3 ž2 ķ1 ģ1 č1",
    "et": "ä42 õ29 ü21 ö7 š1 ž",
    "eo": "ĉ25 ĝ25 ŭ23 ŝ17 ĵ8 ĥ",
    "vi": "\u032313 ê9 \u03019 \u03098 ư8 ô8 \u03007 đ7 à6 ơ6 â6 á4 \u03033 ă2 ó2 í1 ú1 ù1 é ì ò ã è",
    "ru": "о11 е8 а8 и7 н7 т6 с6 р5 в5 л4 к4 м3 д3 п3 у3 я2 ы2 г2 ь2 б2 з2 ч1 й1 ж1 х1 ш1 ю1 ц э щ ф ё ъ",
    "uk": "о9 а9 н7 і6 и6 в5 т5 е5 р5 с4 к4 у4 д3 л3 м3 п3 з2 я2 ь2 б2 г1 й1 ч1 ц1 х1 ж1 ї1 ю1 ш1 щ1 є1 ф ґ",
    "be": "а16 н7 і7 р5 с5 я5 у4 к4 л4 о4 ы4 е4 т4 ц4 д3 в3 м3 п3 з3 э2 ў2 ь2 б2 г2 ж1 х1 ч1 ш1 ё1 й1 ю1 ф",
    "bg": "а13 о9 е9 и9 т7 н7 с5 в5 р5 д4 к4 л3 м3 п3 з2 я2 ъ2 г2 б1 ч1 у1 щ1 ж1 й1 ц1 х ш ф ю ь",
    "mk": "а14 о11 е10 и9 н7 т7 с5 р4 д4 в4 к4 м3 л3 п3 у2 г2 ј2 з2 б1 ш1 ч1 ц1 ж1 ќ ф њ ѓ х љ ѕ џ",
    "sr": "а12 и10 о9 е9 н6 р5 с5 т5 ј5 у4 в4 д4 к4 м4 л3 п3 з2 г2 б2 ч1 ш1 ж1 ц1 х1 љ1 њ1 ћ1 ђ ф џ",
    "el": (
        "α10 τ8 ο8 ι7 ε7 ν6 σ5 ρ4 π4 κ4 μ4 η4 ς4 υ3 λ3 ί2 ά2 ό2 έ2 γ2 δ2 ω1 ή1 χ1 θ1 ύ1 φ1 ώ1 β1 ξ ζ ψ ϊ ϋ ΐ"
    ),
    "he": "י11 ו11 ה9 ל7 א6 ת6 ר5 ב5 מ5 ש5 נ3 ע3 ם3 ד3 כ2 ח2 ק2 פ2 ס2 ג1 ן1 צ1 ז1 ט1 ך1 ף ץ",
    "ar": (
        "ا14 ل12 ي8 م7 ن6 و5 ر4 ت4 ع4 ب4 د3 ة3 ه3 ف3 ك2 س2 أ2 ق2 ح2 ج1 ى1 ش1 ص1 ط1 خ1 "
        "ذ1 إ1 ض1 ث1 ز1 غ ئ ء ظ آ ؤ ، ؟"
    ),
    "fa": (
        "ا15 ر9 ن8 ي8 د7 ه7 و7 م7 ب5 ت5 س3 ک3 ش3 ل3 ز2 ف2 خ1 گ1 ع1 ق1 ج1 ح1 پ1 آ1 "
        "چ1 ط1 ص1 ض غ ظ ذ ث ئ ك ژ ، ؟"
    ),
    "th": (
        "า7 น7 ร6 อ6 ก5 เ5 ง4 ม4 ย4 ่4 ้4 ั4 ล3 ว3 ท3 ส3 ต3 ิ3 ี3 ด2 ป2 บ2 ค2 ห2 ะ2 "
        "แ2 จ2 พ2 ไ2 ช1 ข1 ใ1 โ1 ำ1 ็1 ์1 ุ1 ู1 ึ1 ื1 ผ1 ถ1 ศ ซ ณ ฟ ธ ญ ภ ษ ๆ ๊ ๋ ฐ ฏ ฝ ฮ ฆ ฬ"
    ),
}

# Frequent words without any letter outside ASCII: they tell a language whose few accents leave a choice.
FUNCTION_WORDS = {
    "en": "the to and of in is for that you it on with this was be as are have not by",
    "de": "die der und das ich ist nicht zu den von mit es ein auf im sie eine sich auch dem des",
    "fr": "de la le et les est des un que pas une du il pour dans je qui au ce sur",
    "es": "de la que el en los no un se por es del las con una para lo su al como",
    "it": "di che il la non un per del una le si con della da sono ma al ha come dei nel",
    "pt": "de que do em da para um uma com no se na por os eu como as mais dos mas",
    "nl": "de van het een en op ik dat voor je te met niet zijn die als er maar om aan",
    "sv": "det att och jag en inte som med har av om du till den ett kan vi men",
    "da": "og er af det at en til jeg har for ikke med den der de kan som et var",
    "nb": "og er det som til en av for ikke med har jeg at de om den vi fra var",
    "fi": "ja on ei se oli mutta ole kun niin jos ovat voi nyt sen kuin tai joka olla vain",
    "is": "og er sem til en af hann um ekki var fyrir eru eftir svo hefur vera hafa",
    "ca": "de la que el en per del un les els una no amb va al es ha com dels",
    "ga": "an na ar agus go le ag sa do don mar ach nach bhfuil atá sin seo",
    "cy": "yn ac ar fod oedd ei gan wedi hynny dim am gyda mae bod hwn eu",
    "pl": "nie na to do jest jak ale co tak za od po dla tym czy przez tego tylko",
    "cs": "se na je to si do jsem ale tak pro ve za co jako jak po by od jsou",
    "sk": "sa na je to ako aj si do som ale po za tak od bol by pre ak alebo",
    "hu": "az nem hogy egy is de meg csak ha van volt ez vagy kell el ki azt mint",
    "sl": "je in na se da so za ki pa tudi lahko ne kot po iz bi bo od pri ali",
    "hr": "je da se na od za su ne sa iz to kao godine koji kako bi ali nije",
    "ro": "de la din pe cu nu mai un este care pentru se au ce fost ca al sunt",
    "tr": "ve bir bu de da ile ne daha en gibi olarak her kadar olan ben var ama",
    "lt": "ir kad su yra tai kaip ar buvo savo tik bet nuo apie taip kai labai",
    "lv": "un ir ar par ka no uz kas vai bet es nav to tas ja lai bija ko",
    "et": "ja on ei et see oli ka kui ta mis oma aga ning siis nii mida selle",
    "eo": "la de kaj en al estas mi ne por kun por sed ke oni li per",
    "vi": "trong cho khi ra sau nam theo anh con hay nhau vai hai ba",
}

# The encodings that can be guessed, with what a page in one must overcome (in bits: how much rarer it is than
# its rivals on undeclared pages) and the languages written in it. Of two equals the first wins.
_WESTERN = "en de fr es it pt nl sv da nb fi is ca ga cy"
_CYRILLIC = "ru uk bg sr mk be"
SINGLE_BYTE = {
    "windows-1252": (0, _WESTERN),
    "windows-1250": (1, "pl cs sk hu sl hr ro"),
    "windows-1251": (0, _CYRILLIC),
    "windows-1254": (2, "tr"),
    "windows-1253": (1, "el"),
    "windows-1255": (1, "he"),
    "windows-1256": (1, "ar fa"),
    "windows-1257": (2, "lt lv et"),
    "windows-1258": (4, "vi"),
    "windows-874": (1, "th"),
    "ISO-8859-2": (2, "pl cs sk hu sl hr ro"),
    "ISO-8859-7": (5, "el"),
    "KOI8-R": (3, "ru bg"),
    "KOI8-U": (3, "uk be"),
    "ISO-8859-15": (4, _WESTERN),
    "ISO-8859-13": (4, "lt lv et"),
    "ISO-8859-6": (4, "ar"),
    "ISO-8859-8": (4, "he"),
    "ISO-8859-5": (6, _CYRILLIC),
    "IBM866": (8, _CYRILLIC),
    "x-mac-cyrillic": (12, _CYRILLIC),
    "macintosh": (12, _WESTERN),
    "ISO-8859-4": (12, "lt lv et"),
    "ISO-8859-3": (10, "eo"),
    "ISO-8859-14": (10, "cy"),
}

MULTI_BYTE = {"Shift_JIS": "ja", "EUC-JP": "ja", "GBK": "zh-Hans", "Big5": "zh-Hant", "EUC-KR": "ko"}

# The characters that make up more than half of any text, most frequent first.
COMMON = {
    "ja": (
        "人日大本出見一分時事中言思年行間気生自方上会子今前者的入月手国作合来何女全最無場動用目後発学話定当理高感性部地回新"
        "画使下実私物体知通力家同名対度業良多持開代金意内長関変所数戦要外社以取化明現食法結心世不好成味考能小立機書初面期少"
        "様田付違先員車山市解問連報近安番記加公売仕神教界特主表信東品電聞選終題必正二強文語章字"
    ),
    "zh-Hans": (
        "的是一在不人有了我国这为中个大会们他来和年上以要到时对么能你就发可地生家出也说于学后成与过行用日多自现都没作下得开"
        "经还法动好方而公子事分之民主里政看吗本月所天新业同全定部最其进如前机美那当工关实小被但因长样理等什道去些面很心间区"
        "内电然力起体只着从并者高加想文问种员重及点将意合产三外由市无女已制网第情场名应西代正表真此位题相明资计建利系化期特"
        "性度果次给让两通教任比该东活手世提或使她物数立认怎知结入更总务话统目社展战做设安别信影己受解军司回把保平常见向海变"
    ),
    "zh-Hant": (
        "的是一在不人有了我國這為中個大會們他來和年上以要到時對麼能你就發可地生家出也說於學後成與過行用日多自現都沒作下得開"
        "經還法動好方而公子事分之民主裡政看嗎本月所天新業同全定部最其進如前機美那當工關實小被但因長樣理等什道去些面很心間區"
        "內電然力起體只著從並者高加想文問種員重及點將意合產三外由市無女已制網第情場名應西代正表真此位題相明資計建利系化期特"
        "性度果次給讓兩通教任比該東活手世提或使她物數立認怎知結入更總務話統目社展戰做設安別信影己受解軍司回把保平常見向海變"
    ),
    "ko": (
        "이다는에하고가을지의로서은아한어도기사니있를나해리시그요인들자일게대라으스수만보제면정주전부여거과장했상안마구었데오야"
        "내원우신적것성국되세위와무할동생소트드모미진문중말화공까러비습간없분조저입개터유계치월같경회선년때연실바음관용더명학네"
        "영교당작좋방려않합래발건된단재며각운금람행남물알차등통번르던두타후프겠체크랑식히너산역버임호포예결반잘님함심속업본레파"
    ),
}
