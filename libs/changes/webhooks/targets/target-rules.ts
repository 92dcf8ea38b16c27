import { isIP, type LookupFunction } from 'node:net';
import { excerpt, Fault } from '#fault';
import { type AddressRules } from './address-rules';
import { type ResolveHost } from './resolve-host';

export interface TargetOptions {
  readonly addresses: AddressRules;
  readonly httpHosts: readonly string[];
  readonly resolve: ResolveHost;
}

/** Decides to which URLs the service may send changes. Throws `webhooks.target`, which has the kind `malformed`. */
export class TargetRules {
  constructor(private readonly options: TargetOptions) {}

  /**
   * Parses and checks a URL. If the host is an address, this method checks the address. If the host is a name, `lookup`
   * checks its addresses for each connection.
   */
  read(text: string): URL {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || url.hostname === '') {
      throw refused(`${JSON.stringify(excerpt(text))} is not a URL such as https://receiver.example.com/changes.`);
    }
    if (url.username !== '' || url.password !== '') {
      throw refused('The URL contains a user or a password, which would be stored and shown in clear text.');
    }
    if (url.hash !== '') throw refused('The URL has a fragment, which is never sent.');
    const host = hostOf(url);
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && this.options.httpHosts.includes(host))) {
      throw refused(
        `The URL does not begin with https://, and ${excerpt(host)} is not in NODELEDGER_WEBHOOK_HTTP_HOSTS.`,
      );
    }
    if (isIP(host) !== 0) this.requireAllowed(host, [host]);
    return url;
  }

  /**
   * Resolves a host for one connection, and omits addresses that are not allowed. The host is not resolved a second
   * time, so it cannot change to a refused address after the check.
   */
  readonly lookup: LookupFunction = (host, { all }, done) => {
    this.addressesOf(host).then(
      ([first, ...others]) => {
        if (first === undefined) done(refused(`${excerpt(host)} has no address.`), '', 0);
        else if (all === true) done(null, [first, ...others].map(withFamily));
        else done(null, first, isIP(first));
      },
      (error: unknown) => done(error as Error, '', 0),
    );
  };

  private async addressesOf(host: string): Promise<readonly string[]> {
    return this.requireAllowed(host, await this.options.resolve(host));
  }

  private requireAllowed(host: string, found: readonly string[]): readonly string[] {
    const allowed = found.filter((address) => this.options.addresses.allows(address));
    if (allowed.length > 0 || found.length === 0) return allowed;
    throw refused(`${excerpt(host)} has the address ${found.join(', ')}, which is not public.`);
  }
}

const withFamily = (address: string): { address: string; family: number } => ({ address, family: isIP(address) });

/** Removes the brackets around an IPv6 address, and the dot at the end of an absolute name. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');

const refused = (message: string): Fault =>
  new Fault('malformed', 'webhooks.target', message, {
    hint: 'Changes are sent to https URLs with public addresses, and to the networks of NODELEDGER_WEBHOOK_ALLOW (docs/webhooks.md).',
  });
