/** Program of the thread that splits documents into sections for the embedded log. */
import { Splitter } from '#log';
import { serveTasks } from '#threads';
import { documentSections } from '#wire';

const splitter = new Splitter(documentSections);
serveTasks(splitter.split.bind(splitter));
