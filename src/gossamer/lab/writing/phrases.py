"""Punctuation, set phrases and notices of each language: hand-written data."""

from typing import Literal

import msgspec

NoticeKind = Literal["not found", "gone", "error", "soft 404", "moved"]


class Phrasebook(msgspec.Struct, frozen=True):
    """Punctuation of a language, and the set phrases of its web pages."""

    name: str
    here: tuple[str, ...]
    """Anchor texts that say nothing about their target."""
    news: str
    related: str
    rights: str
    """The words after the copyright sign."""
    cookies: str
    notices: tuple[tuple[str, str], ...]
    """Title and sentence for each of `NOTICES`."""
    stop: str = "."
    comma: str = ","
    question: str = "?"
    exclamation: str = "!"
    space: str = " "
    """Separates words; empty where words are written without spaces."""
    right_to_left: bool = False
    script: str = "LATIN"
    """Start of the Unicode names of its letters; several are separated by a bar."""


NOTICES: tuple[NoticeKind, ...] = ("not found", "gone", "error", "soft 404", "moved")
"""The kinds of short page, in the order of `Phrasebook.notices`."""

LANGUAGES: dict[str, Phrasebook] = {
    "ar": Phrasebook(
        name="Arabic",
        here=("اضغط هنا", "هنا", "المزيد"),
        news="أخبار",
        related="انظر أيضا",
        rights="جميع الحقوق محفوظة",
        cookies="يستخدم هذا الموقع ملفات تعريف الارتباط.",
        notices=(
            ("الصفحة غير موجودة", "لم يتم العثور على الصفحة المطلوبة على هذا الخادم."),
            ("الصفحة محذوفة", "تم حذف هذه الصفحة نهائيا."),
            ("خطأ في الخادم", "حدث خطأ في الخادم، يرجى المحاولة لاحقا."),
            ("عذرا", "لم نجد ما تبحث عنه، ربما تجد شيئا آخر في موقعنا."),
            ("تم نقل الصفحة", "توجد هذه الصفحة الآن في عنوان آخر."),
        ),
        comma="،",
        question="؟",
        right_to_left=True,
        script="ARABIC",
    ),
    "cs": Phrasebook(
        name="Czech",
        here=("klikněte zde", "zde", "více"),
        news="Novinky",
        related="Viz také",
        rights="Všechna práva vyhrazena",
        cookies="Tyto stránky používají cookies.",
        notices=(
            ("Stránka nenalezena", "Požadovaná stránka nebyla na tomto serveru nalezena."),
            ("Stránka odstraněna", "Tato stránka byla trvale odstraněna."),
            ("Chyba serveru", "Na serveru došlo k chybě, zkuste to prosím později."),
            ("Je nám líto", "Nenašli jsme, co hledáte, možná vás zaujme něco jiného."),
            ("Stránka přesunuta", "Tato stránka má nyní jinou adresu."),
        ),
    ),
    "da": Phrasebook(
        name="Danish",
        here=("klik her", "her", "læs mere"),
        news="Nyheder",
        related="Se også",
        rights="Alle rettigheder forbeholdes",
        cookies="Denne side bruger cookies.",
        notices=(
            ("Siden blev ikke fundet", "Den ønskede side findes ikke på denne server."),
            ("Siden er fjernet", "Denne side er fjernet for altid."),
            ("Fejl på serveren", "Der opstod en fejl på serveren, prøv igen senere."),
            ("Beklager", "Vi fandt ikke det, du leder efter, måske finder du noget andet hos os."),
            ("Siden er flyttet", "Denne side har fået en ny adresse."),
        ),
    ),
    "de": Phrasebook(
        name="German",
        here=("hier klicken", "hier", "mehr", "weiterlesen"),
        news="Aktuelles",
        related="Siehe auch",
        rights="Alle Rechte vorbehalten",
        cookies="Diese Seite verwendet Cookies.",
        notices=(
            ("Seite nicht gefunden", "Die gewünschte Seite gibt es auf diesem Server nicht."),
            ("Seite entfernt", "Diese Seite wurde auf Dauer entfernt."),
            (
                "Fehler des Servers",
                "Auf dem Server ist ein Fehler aufgetreten, bitte später noch einmal versuchen.",
            ),
            (
                "Leider nichts gefunden",
                "Was Sie suchen, haben wir nicht, vielleicht gefällt Ihnen etwas anderes.",
            ),
            ("Seite verschoben", "Diese Seite hat jetzt eine andere Adresse."),
        ),
    ),
    "el": Phrasebook(
        name="Greek",
        here=("πατήστε εδώ", "εδώ", "περισσότερα"),
        news="Νέα",
        related="Δείτε επίσης",
        rights="Με επιφύλαξη παντός δικαιώματος",
        cookies="Αυτή η σελίδα χρησιμοποιεί cookies.",
        notices=(
            ("Η σελίδα δεν βρέθηκε", "Η σελίδα που ζητήσατε δεν υπάρχει σε αυτόν τον διακομιστή."),
            ("Η σελίδα αφαιρέθηκε", "Αυτή η σελίδα αφαιρέθηκε οριστικά."),
            ("Σφάλμα διακομιστή", "Παρουσιάστηκε σφάλμα, παρακαλώ δοκιμάστε αργότερα."),
            ("Λυπούμαστε", "Δεν βρήκαμε αυτό που ψάχνετε, ίσως σας αρέσει κάτι άλλο."),
            ("Η σελίδα μεταφέρθηκε", "Αυτή η σελίδα έχει τώρα άλλη διεύθυνση."),
        ),
        question=";",
        script="GREEK",
    ),
    "en": Phrasebook(
        name="English",
        here=("click here", "here", "more", "read more"),
        news="News",
        related="See also",
        rights="All rights reserved",
        cookies="This site uses cookies.",
        notices=(
            ("Page not found", "The page that you asked for does not exist on this server."),
            ("Page removed", "This page has been removed for good."),
            ("Server error", "Something went wrong on the server, please try again later."),
            ("Sorry", "We could not find what you are looking for, perhaps you will like something else."),
            ("Page moved", "This page has another address now."),
        ),
    ),
    "es": Phrasebook(
        name="Spanish",
        here=("pulse aquí", "aquí", "leer más"),
        news="Noticias",
        related="Véase también",
        rights="Todos los derechos reservados",
        cookies="Este sitio utiliza cookies.",
        notices=(
            ("Página no encontrada", "La página solicitada no existe en este servidor."),
            ("Página eliminada", "Esta página ha sido eliminada para siempre."),
            ("Error del servidor", "Se ha producido un error en el servidor, inténtelo más tarde."),
            ("Lo sentimos", "No hemos encontrado lo que busca, quizá le guste otra cosa."),
            ("Página trasladada", "Esta página tiene ahora otra dirección."),
        ),
    ),
    "fi": Phrasebook(
        name="Finnish",
        here=("napsauta tästä", "tästä", "lue lisää"),
        news="Uutiset",
        related="Katso myös",
        rights="Kaikki oikeudet pidätetään",
        cookies="Tämä sivusto käyttää evästeitä.",
        notices=(
            ("Sivua ei löytynyt", "Pyydettyä sivua ei ole tällä palvelimella."),
            ("Sivu on poistettu", "Tämä sivu on poistettu pysyvästi."),
            ("Palvelinvirhe", "Palvelimella tapahtui virhe, yritä myöhemmin uudelleen."),
            ("Valitettavasti", "Emme löytäneet etsimääsi, ehkä pidät jostakin muusta."),
            ("Sivu on siirretty", "Tällä sivulla on nyt toinen osoite."),
        ),
    ),
    "fr": Phrasebook(
        name="French",
        here=("cliquez ici", "ici", "lire la suite"),
        news="Actualités",
        related="Voir aussi",
        rights="Tous droits réservés",
        cookies="Ce site utilise des cookies.",
        notices=(
            ("Page non trouvée", "La page demandée n’existe pas sur ce serveur."),
            ("Page supprimée", "Cette page a été supprimée définitivement."),
            ("Erreur du serveur", "Une erreur est survenue sur le serveur, veuillez réessayer plus tard."),
            ("Désolé", "Nous n’avons pas trouvé ce que vous cherchez, autre chose vous plaira peut-être."),
            ("Page déplacée", "Cette page a maintenant une autre adresse."),
        ),
    ),
    "it": Phrasebook(
        name="Italian",
        here=("clicca qui", "qui", "leggi tutto"),
        news="Notizie",
        related="Vedi anche",
        rights="Tutti i diritti riservati",
        cookies="Questo sito utilizza i cookie.",
        notices=(
            ("Pagina non trovata", "La pagina richiesta non esiste su questo server."),
            ("Pagina rimossa", "Questa pagina è stata rimossa per sempre."),
            ("Errore del server", "Si è verificato un errore, si prega di riprovare più tardi."),
            ("Spiacenti", "Non abbiamo trovato quello che cerchi, forse ti piacerà altro."),
            ("Pagina spostata", "Questa pagina ha ora un altro indirizzo."),
        ),
    ),
    "ja": Phrasebook(
        name="Japanese",
        here=("ここをクリック", "こちら", "続きを読む"),
        news="お知らせ",
        related="関連項目",
        rights="無断転載を禁じます",
        cookies="このサイトはクッキーを使用しています。",
        notices=(
            ("ページが見つかりません", "お探しのページはこのサーバーにありません。"),
            ("ページは削除されました", "このページは完全に削除されました。"),
            ("サーバーエラー", "サーバーでエラーが発生しました。後でもう一度お試しください。"),
            ("申し訳ありません", "お探しのものは見つかりませんでした。ほかのページをご覧ください。"),
            ("ページは移動しました", "このページのアドレスは変わりました。"),
        ),
        stop="。",
        comma="、",
        question="？",
        exclamation="！",
        space="",
        script="CJK|HIRAGANA|KATAKANA",
    ),
    "nl": Phrasebook(
        name="Dutch",
        here=("klik hier", "hier", "lees meer"),
        news="Nieuws",
        related="Zie ook",
        rights="Alle rechten voorbehouden",
        cookies="Deze site gebruikt cookies.",
        notices=(
            ("Pagina niet gevonden", "De gevraagde pagina bestaat niet op deze server."),
            ("Pagina verwijderd", "Deze pagina is voorgoed verwijderd."),
            ("Serverfout", "Er is iets misgegaan op de server, probeer het later opnieuw."),
            ("Helaas", "We hebben niet gevonden wat u zoekt, misschien bevalt u iets anders."),
            ("Pagina verplaatst", "Deze pagina heeft nu een ander adres."),
        ),
    ),
    "pl": Phrasebook(
        name="Polish",
        here=("kliknij tutaj", "tutaj", "czytaj więcej"),
        news="Aktualności",
        related="Zobacz też",
        rights="Wszelkie prawa zastrzeżone",
        cookies="Ta strona używa plików cookie.",
        notices=(
            ("Nie znaleziono strony", "Żądana strona nie istnieje na tym serwerze."),
            ("Strona usunięta", "Ta strona została usunięta na stałe."),
            ("Błąd serwera", "Na serwerze wystąpił błąd, proszę spróbować później."),
            ("Przepraszamy", "Nie znaleźliśmy tego, czego szukasz, może spodoba ci się coś innego."),
            ("Strona przeniesiona", "Ta strona ma teraz inny adres."),
        ),
    ),
    "pt": Phrasebook(
        name="Portuguese",
        here=("clique aqui", "aqui", "leia mais"),
        news="Notícias",
        related="Ver também",
        rights="Todos os direitos reservados",
        cookies="Este site utiliza cookies.",
        notices=(
            ("Página não encontrada", "A página pedida não existe neste servidor."),
            ("Página removida", "Esta página foi removida para sempre."),
            ("Erro do servidor", "Ocorreu um erro no servidor, tente novamente mais tarde."),
            ("Lamentamos", "Não encontramos o que procura, talvez goste de outra coisa."),
            ("Página movida", "Esta página tem agora outro endereço."),
        ),
    ),
    "ru": Phrasebook(
        name="Russian",
        here=("нажмите здесь", "здесь", "подробнее"),
        news="Новости",
        related="Смотрите также",
        rights="Все права защищены",
        cookies="Этот сайт использует файлы cookie.",
        notices=(
            ("Страница не найдена", "Запрошенной страницы нет на этом сервере."),
            ("Страница удалена", "Эта страница удалена навсегда."),
            ("Ошибка сервера", "На сервере произошла ошибка, попробуйте позже."),
            ("Извините", "Мы не нашли того, что вы ищете, возможно, вам понравится другое."),
            ("Страница перемещена", "У этой страницы теперь другой адрес."),
        ),
        script="CYRILLIC",
    ),
    "sv": Phrasebook(
        name="Swedish",
        here=("klicka här", "här", "läs mer"),
        news="Nyheter",
        related="Se även",
        rights="Alla rättigheter förbehållna",
        cookies="Den här sidan använder kakor.",
        notices=(
            ("Sidan hittades inte", "Den begärda sidan finns inte på den här servern."),
            ("Sidan är borttagen", "Den här sidan är borttagen för alltid."),
            ("Serverfel", "Ett fel uppstod på servern, försök igen senare."),
            ("Tyvärr", "Vi hittade inte det du söker, kanske tycker du om något annat."),
            ("Sidan har flyttats", "Den här sidan har nu en annan adress."),
        ),
    ),
    "tr": Phrasebook(
        name="Turkish",
        here=("buraya tıklayın", "burada", "devamı"),
        news="Haberler",
        related="Ayrıca bakınız",
        rights="Tüm hakları saklıdır",
        cookies="Bu site çerez kullanmaktadır.",
        notices=(
            ("Sayfa bulunamadı", "İstenen sayfa bu sunucuda bulunmuyor."),
            ("Sayfa kaldırıldı", "Bu sayfa kalıcı olarak kaldırıldı."),
            ("Sunucu hatası", "Sunucuda bir hata oluştu, lütfen daha sonra tekrar deneyin."),
            ("Üzgünüz", "Aradığınızı bulamadık, belki başka bir şey hoşunuza gider."),
            ("Sayfa taşındı", "Bu sayfanın artık başka bir adresi var."),
        ),
    ),
    "zh": Phrasebook(
        name="Chinese",
        here=("点击这里", "这里", "更多"),
        news="新闻",
        related="参见",
        rights="版权所有",
        cookies="本网站使用Cookie。",
        notices=(
            ("页面未找到", "您请求的页面在此服务器上不存在。"),
            ("页面已删除", "此页面已被永久删除。"),
            ("服务器错误", "服务器发生错误，请稍后再试。"),
            ("抱歉", "我们没有找到您要的内容，也许您会喜欢别的。"),
            ("页面已移动", "此页面现在有了另一个地址。"),
        ),
        stop="。",
        comma="，",
        question="？",
        exclamation="！",
        space="",
        script="CJK",
    ),
}
"""The available languages, by BCP 47 tag."""
