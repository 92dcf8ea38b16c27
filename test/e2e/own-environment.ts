/** Returns the environment for a process of the tests, without settings for a service outside of the tests. */
export function ownEnvironment(own: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) =>
      !name.startsWith('NODELEDGER_') && !['DATABASE_URL', 'READ_DATABASE_URL', 'KAFKA_BROKERS'].includes(name),
  );
  return { ...Object.fromEntries(inherited), ...own };
}
