// How much is read and kept of the test reports of jobs. All of it is untrusted.

/** Of one file. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024;
/** Of all files of a job. */
export const MAX_JOB_BYTES = 1024 * 1024 * 1024;
export const MAX_FILES = 5000;
/** Of a job; others are left out. */
export const MAX_TESTS = 50_000;
/** Bytes in UTF-8. */
export const MAX_NAME = 1024;
export const MAX_MESSAGE = 2 * 1024;
export const MAX_TRACE = 16 * 1024;
/** Messages and traces of all tests of a job together. */
export const MAX_KEPT_TEXT = 32 * 1024 * 1024;
/** Problems of a job that are reported. */
export const MAX_PROBLEMS = 100;
/** The slowest tests of a job that are noted. */
export const MAX_SLOWEST = 20;

export const XML_LIMITS = { maxDepth: 100, maxTagLength: 1024 * 1024, maxValueLength: 32 * 1024 };
