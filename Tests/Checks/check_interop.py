#!/usr/bin/env python3
"""Checks signatures and payloads with other libraries; `make check-interop` runs it in an environment that has them.

usage: check_interop.py CASES

CASES is the directory that the tests write: requests as a server received them, and a file of payloads.
`standardwebhooks` must accept each signature with each of its secrets, and refuse it for another body, id, time or
secret. `cloudevents` must accept each body and each line as a CloudEvent.
"""

import datetime
import json
import pathlib
import sys

from cloudevents.core.bindings.http import HTTPMessage, from_http_event
from standardwebhooks import Webhook, WebhookVerificationError


def is_valid(secret, body, headers):
    # The library takes a text as base64, and a secret that is none as bytes.
    webhook = Webhook(secret if secret.startswith("whsec_") else secret.encode())
    try:
        webhook.verify(body, headers)
        return True
    except WebhookVerificationError:
        return False


def check_signature(request):
    headers, body = request["headers"], request["body"]
    for secret in request["secrets"]:
        assert is_valid(secret, body, headers), f"the signature does not hold: {headers}"
        assert not is_valid(secret, body + " ", headers), "the signature holds for another body"
        for name, other in [("webhook-id", "x"), ("webhook-timestamp", str(int(headers["webhook-timestamp"]) + 1))]:
            assert not is_valid(secret, body, {**headers, name: other}), f"the signature holds for another {name}"
    assert not is_valid("whsec_AAAA", body, headers), "the signature holds with another secret"
    assert len(headers["webhook-signature"].split(" ")) == len(request["secrets"])


def check_event(body, content_type):
    event = from_http_event(HTTPMessage({"content-type": content_type}, body.encode()))
    assert event.get_specversion() == "1.0"
    assert event.get_type() in ("tminus.reminder", "tminus.expiry")
    assert event.get_source().startswith("/tminus/")
    assert isinstance(event.get_time(), datetime.datetime) and event.get_time().tzinfo is not None
    data = event.get_data()
    assert data["id"] == event.get_subject()
    return event, data


def main(cases):
    requests = json.loads((cases / "requests.json").read_text())
    lines = (cases / "payloads.ndjson").read_text().removesuffix("\n").split("\n")
    assert len(requests) == len(lines) == 9
    for request, line in zip(requests, lines, strict=True):
        check_signature(request)
        event, data = check_event(request["body"], request["headers"]["content-type"])
        assert event.get_id() == request["headers"]["webhook-id"]
        assert data["name"] == request["name"]
        assert line == request["body"], "a line is the body that the webhook posts"
    print(f"check_interop: standardwebhooks and cloudevents accept all {len(requests)} requests")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]))
