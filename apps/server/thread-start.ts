/** The first import of the program of each thread. */
import { tuneGarbageCollection } from './garbage-collection';
import { yieldToRequests } from './thread-priority';

// The start of a thread has set the growth factor of the whole process back to 2.
tuneGarbageCollection();
yieldToRequests();
