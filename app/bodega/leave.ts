import { forget } from './almacen';
import { boton, h } from './hacer';
import { show, titulo } from './pantalla';
import { listMine } from './porEnviar';
import { showInicio } from './searchHere';

/** Signs out. A person with unsent presses is told first: the presses stay on this phone, under the person's name. */
export async function leave(): Promise<void> {
  const pendientes = (await listMine()).length;
  const go = async () => {
    await forget();
    location.assign('/salir');
  };
  if (pendientes === 0) return go();
  const dice = `${pendientes === 1 ? 'Queda 1 cambio' : `Quedan ${pendientes} cambios`} sin enviar. Se guarda en este teléfono, nadie más lo ve, y se envía cuando vuelvas a entrar aquí.`;
  await show({
    paint: () => [
      titulo('Falta por enviar'),
      h('p', { class: 'panel aviso' }, dice),
      h(
        'div',
        { class: 'botones' },
        boton('Seguir aquí', () => void show({ paint: () => [] }).then(() => showInicio())),
        boton('Salir de todos modos', () => void go(), 'principal'),
      ),
    ],
  });
}
