"""docs/generated/messages.md: every message between services."""

from __future__ import annotations

from portico_contracts.catalogue import EVENTS, REPORTS, RPCS

from generated_pages.markdown import code, first_line, page_of, table


def messages_page() -> str:
    questions = table(
        ["Subject", "Owner", "Asked by", "Request", "Reply", "Meaning"],
        (
            [
                code(rpc.subject),
                rpc.owner,
                ", ".join(rpc.called_by),
                code(rpc.request.__name__),
                code(rpc.reply.__name__),
                first_line(rpc.request.__doc__),
            ]
            for rpc in sorted(RPCS, key=lambda rpc: rpc.subject)
        ),
    )
    events = table(
        ["Subject", "Published by", "Body", "Meaning"],
        (
            [code(event.subject), event.published_by, code(event.body.__name__), first_line(event.body.__doc__)]
            for event in sorted(EVENTS, key=lambda event: event.subject)
        ),
    )
    reports = table(
        ["Subject", "Owner", "Sent by", "Body", "Meaning"],
        (
            [
                code(report.subject),
                report.owner,
                ", ".join(report.sent_by),
                code(report.body.__name__),
                first_line(report.body.__doc__),
            ]
            for report in sorted(REPORTS, key=lambda report: report.subject)
        ),
    )
    return page_of(
        "Messages",
        "From `libs/contracts`. The bus allows each service exactly these requests, replies and events.",
        "## Questions",
        questions,
        "## Reports",
        "Sent once, without a reply. A report is lost if no replica of its owner is listening.",
        reports,
        "## Events",
        "On the JetStream stream `EVENTS`. An event is a hint to refresh; the owner's store is the truth.",
        events,
    )
