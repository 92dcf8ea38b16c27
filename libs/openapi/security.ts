export const securitySchemes = {
  clientCertificate: {
    type: 'mutualTLS',
    description:
      'A client certificate of a CA that the service trusts. The roles belong to the name of the certificate.',
  },
  bearerToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token from `nodeledger token create`.',
  },
  tokenHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Authentication',
    description: 'A token from `nodeledger token create`, in the header that clients of Puppet Enterprise use.',
  },
} as const;
