import { keepNote, recallNote } from './almacen';
import { showConexion } from './pantalla';
import { addressToSignIn, falloOf } from './porEnviar';
import { ServidorFalla, SinEntrar, SinSenal } from './red';

/** Reads from the server, or else what this phone kept. Undefined when neither has it; a session that ended leads to the login. */
export async function readOrRecall<T>(read: () => Promise<T | undefined>, note: string): Promise<T | undefined> {
  try {
    const found = await read();
    showConexion('bien');
    if (found) await keepNote(note, found);
    return found;
  } catch (error) {
    if (error instanceof SinEntrar) location.assign(addressToSignIn());
    else if (error instanceof SinSenal || error instanceof ServidorFalla) showConexion(falloOf(error));
    else throw error;
    return recallNote<T>(note);
  }
}
