/* flags: -O1 */
/* System V's shared memory, message queues and semaphores, with a child on the other side. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

struct message {
	long type;
	char text[200];
};

static int semaphores;

static int change(unsigned short which, short by)
{
	return semop(semaphores, &(struct sembuf){ which, by, by < 0 ? 0 : SEM_UNDO }, 1);
}

static void child(int queue, char *all)
{
	struct message message;

	change(0, -1);
	printf("child sees %s\n", all + 5000);
	strcpy(all + 9000, "from the child");
	for (int i = 3; i > 0; i--) {
		msgrcv(queue, &message, sizeof message.text, i, 0);
		printf("type %ld: %.20s\n", message.type, message.text);
	}
	message = (struct message){ 9, "answer" };
	msgsnd(queue, &message, 7, 0);
	fflush(stdout);
	semctl(semaphores, 1, SETVAL, 5);
	_exit(change(1, 2)); /* which is undone */
}

int main(void)
{
	int memory = shmget(IPC_PRIVATE, 16384, IPC_CREAT | 0600), queue = msgget(IPC_PRIVATE, 0600);
	char *all = shmat(memory, NULL, 0), *twice = shmat(memory, NULL, SHM_RDONLY);
	unsigned short values[2];
	struct shmid_ds about;
	struct message message = { 0, "" };
	long got, failed;

	setvbuf(stdout, NULL, _IOLBF, 0);
	semaphores = semget(IPC_PRIVATE, 2, 0600);
	semctl(semaphores, 0, SETALL, (unsigned short[]){ 0, 0 });
	if (fork() == 0)
		child(queue, all);
	strcpy(all + 5000, "hello");
	for (int i = 1; i <= 3; i++) {
		message.type = i;
		memset(message.text, 'a' + i, 100);
		msgsnd(queue, &message, 100, 0);
	}
	change(0, 1);
	got = msgrcv(queue, &message, sizeof message.text, 9, 0);
	wait(NULL);
	printf("got %ld %s, memory %s\n", got, message.text, twice + 9000);
	semctl(semaphores, 0, GETALL, values);
	printf("values %d %d\n", values[0], values[1]);
	failed = semtimedop(semaphores, &(struct sembuf){ 0, -9, 0 }, 1, &(struct timespec){ 0, 1000 });
	printf("waits %ld %d\n", failed, errno == EAGAIN);
	shmctl(memory, IPC_STAT, &about);
	printf("attached %d size %ld\n", about.shm_nattch >= 2, (long)about.shm_segsz);
	shmdt(twice), shmctl(memory, IPC_RMID, NULL);
	all[100] = 'x';
	printf("still there: %c %s\n", all[100], all + 5000);
	shmdt(all), msgctl(queue, IPC_RMID, NULL), semctl(semaphores, 0, IPC_RMID);
	return 0;
}
