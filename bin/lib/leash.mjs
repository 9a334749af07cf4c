/**
 * Preloaded into what the launcher starts. When the launcher dies without a word, its end of this process's stdin
 * closes. The process then stops as if it had been asked to.
 */
process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM'));
process.stdin.on('error', () => process.kill(process.pid, 'SIGTERM'));
process.stdin.resume();
process.stdin.unref?.();
