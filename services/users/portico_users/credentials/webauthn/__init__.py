"""WebAuthn credentials: registration, storage, and verification (W3C Web Authentication, sections 7.1 and 7.2).

A registration starts with a ceremony (`ceremonies`: a challenge valid for 5 minutes and one attempt) and
options for the browser (`options`); `new_credential` verifies the browser's response and `stored_credentials`
stores it. Sign-in uses `options` and `sign_in`.
"""
