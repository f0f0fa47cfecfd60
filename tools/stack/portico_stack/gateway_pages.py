"""The pages the gateway answers with by itself, where no service can: static, in the language of the browser.

The words are those of the services' error pages; a test compares them. Which language it is the gateway finds by one
``map`` on the first tag of Accept-Language.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from portico_contracts.http import LOGIN_STATIC


class Words(NamedTuple):
    """The texts of the pages in one language."""

    tag: str
    direction: str
    title: str
    unavailable: str
    refused: str
    start: str
    code: str
    request: str


WORDS: Final = (
    Words(
        "en",
        "ltr",
        "That did not work",
        "The service is not available just now. Please try again in a moment.",
        "The link or form that led here is not complete.",
        "Go to the start page",
        "Error code",
        "Request",
    ),
    Words(
        "de",
        "ltr",
        "Das hat nicht geklappt",
        "Der Dienst ist gerade nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.",
        "Der Link oder das Formular, das hierher führte, ist nicht vollständig.",
        "Zur Startseite",
        "Fehlercode",
        "Anfrage",
    ),
    Words(
        "fr",
        "ltr",
        "Cela n’a pas fonctionné",
        "Le service n’est pas disponible pour le moment. Veuillez réessayer dans un instant.",
        "Le lien ou le formulaire qui a mené ici est incomplet.",
        "Aller à la page d’accueil",
        "Code d’erreur",
        "Requête",
    ),
    Words(
        "it",
        "ltr",
        "Qualcosa non ha funzionato",
        "Il servizio al momento non è disponibile. Riprovare tra poco.",
        "Il link o il modulo che ha portato qui è incompleto.",
        "Vai alla pagina iniziale",
        "Codice di errore",
        "Richiesta",
    ),
    Words(
        "es",
        "ltr",
        "No se ha podido completar",
        "El servicio no está disponible en este momento. Inténtelo de nuevo en unos instantes.",
        "El enlace o formulario que le ha traído aquí está incompleto.",
        "Ir a la página de inicio",
        "Código de error",
        "Solicitud",
    ),
    Words(
        "pt",
        "ltr",
        "Não foi possível concluir",
        "O serviço não está disponível neste momento. Tente novamente dentro de instantes.",
        "O link ou formulário que conduziu até aqui está incompleto.",
        "Ir para a página inicial",
        "Código de erro",
        "Solicitação",
    ),
    Words(
        "pl",
        "ltr",
        "Nie udało się",
        "Usługa jest chwilowo niedostępna. Spróbuj ponownie za chwilę.",
        "Link lub formularz, który tu prowadził, jest niekompletny.",
        "Przejdź do strony głównej",
        "Kod błędu",
        "Żądanie",
    ),
    Words(
        "nl",
        "ltr",
        "Dat is niet gelukt",
        "De dienst is op dit moment niet beschikbaar. Probeer het zo meteen opnieuw.",
        "De link of het formulier waarmee u hier kwam, is niet volledig.",
        "Naar de startpagina",
        "Foutcode",
        "Verzoek",
    ),
    Words(
        "ja",
        "ltr",
        "処理できませんでした",
        "現在、サービスを利用できません。しばらくしてから、もう一度お試しください。",
        "アクセスに使用されたリンクまたはフォームが不完全です。",
        "トップページへ",
        "エラーコード",
        "リクエスト",
    ),
    Words(
        "zh",
        "ltr",
        "操作未成功",
        "服务暂时不可用。请稍后重试。",
        "您所用的链接或表单不完整。",
        "前往首页",
        "错误代码",
        "请求",
    ),
    Words(
        "ar",
        "rtl",
        "لم ينجح ذلك",
        "الخدمة غير متاحة حاليًا. يُرجى المحاولة مرة أخرى بعد قليل.",
        "الرابط أو النموذج الذي أوصلك إلى هنا غير مكتمل.",
        "الانتقال إلى صفحة البداية",
        "رمز الخطأ",
        "الطلب",
    ),
)
"""English comes first: it is what everybody gets whose language is not there."""

_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "style-src 'self'",
        *(f"{directive} 'none'" for directive in ("form-action", "object-src", "base-uri", "frame-ancestors")),
    )
)
PAGE_HEADERS: Final = [
    f'header Content-Security-Policy "{_POLICY}"',
    "header Referrer-Policy same-origin",
    "header X-Frame-Options DENY",
]


def words_map() -> list[str]:
    """The directive that finds the words of a request."""
    names = " ".join(f"{{page_{name}}}" for name in Words._fields)
    rows = [f"`~(?i)^\\s*{words.tag}\\b` {_quoted(words)}" for words in WORDS[1:]]
    return [
        f"map {{http.request.header.Accept-Language}} {names} {{",
        *(f"\t{row}" for row in (*rows, f"default {_quoted(WORDS[0])}")),
        "}",
    ]


def error_page(sentence: str, code: str) -> str:
    """The page; ``sentence`` is `unavailable` or `refused`. The stylesheet is that of the login pages, if they answer."""
    return (
        '<!doctype html><html lang="{page_tag}" dir="{page_direction}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">'
        f'<title>{{page_title}}</title><link rel="stylesheet" href="{LOGIN_STATIC}/portico.css"></head><body><main>'
        '<section class="card" id="error-page" aria-labelledby="error-title"><h1 id="error-title">{page_title}</h1>'
        f'<p class="lead">{{page_{sentence}}}</p>'
        '<p class="actions"><a class="button" id="error-start" href="/">{page_start}</a></p><dl class="facts">'
        f'<div><dt>{{page_code}}</dt><dd><code dir="ltr">{code}</code></dd></div>'
        '<div><dt>{page_request}</dt><dd><code dir="ltr">{http.request.uuid}</code></dd></div></dl></section></main></body></html>'
    )


def _quoted(words: Words) -> str:
    return " ".join(f'"{text}"' for text in words)
