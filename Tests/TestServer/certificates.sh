#!/bin/sh
# Makes certificates for the test server in the directory $1: an authority ca.pem, and NAME.chain.pem with a key and a certificate each.
set -eu
cd "$1"
new_key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1.key"; }

new_key ca
openssl req -x509 -new -key ca.key -subj "/CN=tminus test authority" -days 2 -out ca.pem

# $1: name, $2: the address that it is for, $3: days
signed() {
    new_key "$1"
    openssl req -new -key "$1.key" -subj "/CN=$1" -out "$1.csr"
    printf 'subjectAltName=%s\n' "$2" > "$1.ext"
    openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -days "$3" -extfile "$1.ext" -out "$1.pem"
    cat "$1.key" "$1.pem" > "$1.chain.pem"
}
signed good IP:127.0.0.1,DNS:localhost 2
signed other-host DNS:other.example 2
signed expired IP:127.0.0.1,DNS:localhost -1

new_key self-signed
openssl req -x509 -new -key self-signed.key -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 -days 2 -out self-signed.pem
cat self-signed.key self-signed.pem > self-signed.chain.pem
