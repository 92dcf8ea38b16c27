/**
 * Returns whether the service has started this process for an operator. The service then shows the output of this
 * process to people.
 */
export const isStartedByService = (): boolean => process.send !== undefined;
