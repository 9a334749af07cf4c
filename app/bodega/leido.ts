import { keepNote, recallNote } from './almacen';
import { openSeen, showConexion } from './pantalla';
import { addressToSignIn, falloOf } from './porEnviar';
import { ServidorFalla, SinEntrar, SinSenal } from './red';

/** Reads from the server, or else what this phone kept, and says when the next view was seen. Undefined when neither has it; a session that ended leads to the login. */
export async function readOrRecall<T>(read: () => Promise<T | undefined>, note: string): Promise<T | undefined> {
  try {
    const found = await read();
    showConexion('bien');
    openSeen(undefined);
    if (found) await keepNote(note, found);
    return found;
  } catch (error) {
    if (error instanceof SinEntrar) location.assign(addressToSignIn());
    else if (error instanceof SinSenal || error instanceof ServidorFalla) showConexion(falloOf(error));
    else throw error;
    const kept = await recallNote<T>(note);
    openSeen(kept?.desde);
    return kept?.value;
  }
}
