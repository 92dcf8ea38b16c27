/** The environment of a process of the tests: what is set for a service outside of the tests is not passed on. */
export function ownEnvironment(own: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) =>
      !name.startsWith('NODELEDGER_') && !['DATABASE_URL', 'READ_DATABASE_URL', 'KAFKA_BROKERS'].includes(name),
  );
  return { ...Object.fromEntries(inherited), ...own };
}
