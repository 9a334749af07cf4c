/**
 * Preloaded into each process of the launcher. A launcher that dies without a signal closes its end of the process's
 * stdin, and the process then stops as if asked to.
 */
process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM'));
process.stdin.on('error', () => process.kill(process.pid, 'SIGTERM'));
process.stdin.resume();
process.stdin.unref?.();
