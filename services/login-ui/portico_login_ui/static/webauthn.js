// Asks a key and sends what it answers (WebAuthn, section 7.2 from the page's side). It decides nothing.
"use strict";
{
  const start = document.getElementById("webauthn-start");
  const say = (id, said) => { document.getElementById(id).hidden = !said; };

  const bytes = (text) =>
    Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
  const text = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

  // Older browsers have neither parseRequestOptionsFromJSON nor toJSON.
  const optionsIn = (json) => ({
    ...json,
    challenge: bytes(json.challenge),
    allowCredentials: (json.allowCredentials || []).map((one) => ({ ...one, id: bytes(one.id) })),
  });
  const answerOf = (key) => ({
    id: key.id,
    rawId: text(key.rawId),
    type: key.type,
    clientExtensionResults: key.getClientExtensionResults(),
    response: {
      authenticatorData: text(key.response.authenticatorData),
      clientDataJSON: text(key.response.clientDataJSON),
      signature: text(key.response.signature),
      ...(key.response.userHandle ? { userHandle: text(key.response.userHandle) } : {}),
    },
  });

  const ask = async (pressed) => {
    pressed.preventDefault();
    start.disabled = true;
    say("webauthn-failed", false);
    try {
      const publicKey = optionsIn(JSON.parse(start.dataset.options).publicKey);
      const credential = document.getElementById("credential");
      credential.value = JSON.stringify(answerOf(await navigator.credentials.get({ publicKey })));
      credential.form.submit();
    } catch {
      say("webauthn-failed", true);
      start.disabled = false;
    }
  };

  if (window.PublicKeyCredential && navigator.credentials) {
    start.disabled = false;
    start.addEventListener("click", ask);
    start.focus();
  } else {
    say("webauthn-missing", true);
  }
}
