import 'reflect-metadata'
import { constants, webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls'
import * as x509 from '@peculiar/x509'

/** A certificate authority that lives as long as this process: its key is never written to a file. */
export interface Authority {
  /** The authority's certificate, for programs that must trust it; PEM. */
  certificate: string
  /** The certificate of a server with that name. */
  contextFor(host: string): Promise<SecureContext>
}

/** An elliptic key: it costs a server much less than RSA, and n8n opens a connection for each call. */
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
/** Node's defaults (keys against quantum computers, and tickets that no client uses again) cost a third more. */
const lean: SecureContextOptions = {
  ecdhCurve: 'X25519:P-256',
  maxVersion: 'TLSv1.2',
  secureOptions: constants.SSL_OP_NO_TICKET,
}
const day = 86_400_000

export async function makeAuthority(now: number = Date.now()): Promise<Authority> {
  x509.cryptoProvider.set(webcrypto)
  const newKeys = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const [own, servers] = await Promise.all([newKeys(), newKeys()])
  const name = 'CN=n8n-tuned mock, O=a load test on this machine'
  const valid = { notBefore: new Date(now - day), notAfter: new Date(now + 30 * day), signingAlgorithm: algorithm }
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    ...valid,
    name,
    keys: own,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(own.publicKey),
    ],
  })
  const key = x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', servers.privateKey), 'PRIVATE KEY')
  const contexts = new Map<string, Promise<SecureContext>>()

  async function makeContext(host: string): Promise<SecureContext> {
    const leaf = await x509.X509CertificateGenerator.create({
      ...valid,
      subject: 'CN=mock',
      issuer: authority.subject,
      publicKey: servers.publicKey,
      signingKey: own.privateKey,
      extensions: [
        new x509.SubjectAlternativeNameExtension([{ type: isIP(host) ? 'ip' : 'dns', value: host }]),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        await x509.AuthorityKeyIdentifierExtension.create(own.publicKey),
      ],
    })
    return createSecureContext({ key, cert: leaf.toString('pem'), ...lean })
  }

  return {
    certificate: authority.toString('pem'),
    contextFor(host) {
      const context = contexts.get(host) ?? makeContext(host)
      contexts.set(host, context)
      return context
    },
  }
}
