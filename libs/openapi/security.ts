/** Ways in which clients can authenticate. docs/authorization.md describes them. */
export const securitySchemes = {
  clientCertificate: {
    type: 'mutualTLS',
    description:
      'A client certificate that the certificate authority of the service has signed. Its name has the roles.',
  },
  bearerToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token of `nodeledger token create`.',
  },
  tokenHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Authentication',
    description: 'The same token, in the header that clients of Puppet Enterprise send.',
  },
} as const;
