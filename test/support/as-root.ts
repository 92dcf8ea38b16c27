/** Whether the tests run as root, because only root can act as another user. Prints which tests are skipped otherwise. */
export const asRoot = process.getuid?.() === 0;
if (!asRoot) console.info('skipped: tests in which root acts as another user');
