/** Also recognizes an IPv4 address that is written as an IPv6 address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/i.test(host);
