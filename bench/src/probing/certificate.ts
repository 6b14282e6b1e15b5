/** A self-signed certificate (ECDSA P-256) for the targets of the figure, and its key; valid until 2126. */
export const CERTIFICATE = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBrzCCAVWgAwIBAgIUFxo6FQj93hnypyN1NCx01PlAamYwCgYIKoZIzj0EAwIw
GjEYMBYGA1UEAwwPcHJvYmUubG9jYWxob3N0MCAXDTI2MTEyMTA1MjY1NloYDzIx
MjYxMDI4MDUyNjU2WjAaMRgwFgYDVQQDDA9wcm9iZS5sb2NhbGhvc3QwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAATscImSqQRZtJ6BaTFabNlW2gw3z2+IqANdz10I
4ehOphVhN4PGeUaKrlpXWigQubKQ/7TTakpz7BIQ/hE0+kQro3cwdTAdBgNVHQ4E
FgQUHmdCDi61ndbnrgER318ULEc5rrkwHwYDVR0jBBgwFoAUHmdCDi61ndbnrgER
318ULEc5rrkwDwYDVR0TAQH/BAUwAwEB/zAiBgNVHREEGzAZghEqLnByb2JlLmxv
Y2FsaG9zdIcEfwAAATAKBggqhkjOPQQDAgNIADBFAiAupvlIlVtq9QkJZf8DvPYz
okYbBN9x/tL1vXDXbLWMtAIhALK2VpkAWFJuWLEywX4UTCzds+tkxdjhVEJTIzS9
ebud
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgydsiTnqZGyjJwbqP
QEn4ENzGHquVeenrQn44vMWvhNmhRANCAATscImSqQRZtJ6BaTFabNlW2gw3z2+I
qANdz10I4ehOphVhN4PGeUaKrlpXWigQubKQ/7TTakpz7BIQ/hE0+kQr
-----END PRIVATE KEY-----`,
}

/** A host for which the certificate is valid; all of them are this machine. */
export const host = (name: number): string => `o${name}.probe.localhost`
