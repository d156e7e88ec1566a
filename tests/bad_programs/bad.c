/* Bad bots that are programs: `./bad NAME` does what NAME says, and else plays on honestly.

What should not have worked is reported on standard error as "escaped: ...". */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <netinet/in.h>
#include <time.h>
#include <unistd.h>

extern char **environ;
static char line[1 << 20];
static long nonce;
static char **words;

static void say(const char *text) { fputs(text, stdout), fputc('\n', stdout), fflush(stdout); }
static void escaped(const char *what) { fprintf(stderr, "escaped: %s\n", what); }
static void tried(int worked, const char *what) { if (worked) escaped(what); }
static void put_answer(const char *order) {
    printf("{\"type\":\"answer\",\"nonce\":%ld,\"answer\":\"%s\"}\n", nonce, order);
}
static void answer(const char *order) { put_answer(order), fflush(stdout); }

/* -- other processes -- */
static void forks(void) { if (fork() == 0) { escaped("forked"); _exit(0); } }
static void vforks(void) { if (vfork() == 0) _exit(0); escaped("vforked"); }
static void fork_bombs(void) { for (;;) fork(); }
static void daemonizes(void) { tried(daemon(1, 1) == 0, "became a daemon"); }
static void clones(void) { tried(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) >= 0, "cloned"); }
static void clones_anew(void) {
    unsigned long arguments[11] = {0};
    tried(syscall(SYS_clone3, arguments, sizeof arguments) >= 0, "cloned by clone3");
}
static void runs_a_shell(void) { execl("/bin/sh", "sh", "-c", "echo escaped: a shell >&2", NULL); }
static void runs_itself_again(void) { execv("./bad", words); }
static void runs_by_descriptor(void) {
    int fd = open("./bad", O_RDONLY);
    dup2(fd, 250), dup2(fd, 127);
    tried(syscall(SYS_execveat, 250, "", words, environ, 0x1000) == 0, "ran by a descriptor");
    tried(syscall(SYS_execveat, fd, "", words, environ, 0x1000) == 0, "ran by a descriptor");
}
static void runs_by_popen(void) { FILE *pipe = popen("echo", "r"); tried(pipe != NULL, "popen"); }
static void *sleeps_on(void *_) { (void)_; pause(); return NULL; }
static void bombs_with_threads(void) {
    pthread_t thread;
    int count = 0;
    while (count < 20000 && pthread_create(&thread, NULL, sleeps_on, NULL) == 0) count++;
    tried(count >= 20000, "20000 threads");
}
static void threads_unasked(void) {
    pthread_t thread;
    tried(pthread_create(&thread, NULL, sleeps_on, NULL) == 0, "a thread");
}
static void leaves_its_session(void) {
    tried(setsid() >= 0, "setsid");
    tried(setpgid(0, 0) == 0, "setpgid");
}

/* -- memory -- */
static void fills_memory(void) {
    for (long taken = 0; taken < 4096; taken += 16) {
        char *part = malloc(16 << 20);
        if (part == NULL) abort();
        memset(part, 1, 16 << 20);
    }
    escaped("4 GB");
}
static void maps_memory(const char *what, int flags, int fd) {
    for (int parts = 0; parts < 256; parts++) {
        char *part = mmap(NULL, 16 << 20, PROT_READ | PROT_WRITE, flags, fd, 0);
        if (part == MAP_FAILED) return;
        memset(part, 1, 16 << 20);
    }
    escaped(what);
}
static void shares_memory(void) { maps_memory("4 GB shared", MAP_SHARED | MAP_ANONYMOUS, -1); }
static void maps_zeroes(void) {
    int fd = open("/dev/zero", O_RDWR);
    if (fd >= 0) maps_memory("4 GB of /dev/zero", MAP_SHARED, fd);
}
static void hides_memory_in_files(void) { tried(syscall(SYS_memfd_create, "escaped", 0) >= 0, "memfd"); }
static void hides_memory_in_segments(void) { tried(syscall(SYS_shmget, 7, 4096, 01666) >= 0, "shmget"); }
static void reads_its_own_memory_in(void) {  /* page tables are memory, too */
    for (long parts = 0; parts < 1 << 16; parts++) {
        volatile char *part = mmap(NULL, 1L << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (part == MAP_FAILED) return;
        for (long at = 0; at < 1L << 30; at += 1 << 21) (void)part[at];
    }
    escaped("64 TB of addresses");
}
static int recurses(int depth) {
    volatile char room[1 << 12];
    room[0] = 1;
    return recurses(depth + 1) + room[0];
}
static void overflows_its_stack(void) { recurses(0); }
static void raises_its_limits(void) {
    struct rlimit high = {RLIM_INFINITY, RLIM_INFINITY};
    tried(setrlimit(RLIMIT_DATA, &high) == 0, "more memory");
    tried(setrlimit(RLIMIT_CPU, &high) == 0, "more CPU time");
}

/* -- files -- */
static void opens(const char *path, int flags) {
    int fd = open(path, flags, 0666);
    tried(fd >= 0, path);
    if (fd >= 0) close(fd);
}
static void reads_secrets(void) {
    opens("/etc/passwd", O_RDONLY), opens("/root", O_RDONLY), opens("/home", O_RDONLY);
    opens("../../../secret.txt", O_RDONLY), opens("../../../../secret.txt", O_RDONLY);
}
static void lists_its_neighbors(void) {
    tried(opendir("..") != NULL, "its build"), tried(opendir("../..") != NULL, "all builds");
    tried(opendir("../../../bots") != NULL, "all bots"), tried(opendir("/tmp") != NULL, "/tmp");
}
static void reads_proc(void) {
    opens("/proc/self/environ", O_RDONLY), opens("/proc/1/cmdline", O_RDONLY);
    char path[64];
    sprintf(path, "/proc/%d/mem", getppid());
    opens(path, O_RDWR);
}
static void opens_devices(void) { opens("/dev/mem", O_RDWR), opens("/dev/tty", O_RDWR), opens("/dev/shm", O_RDONLY); }
static void writes_files(void) {
    opens("escaped.txt", O_WRONLY | O_CREAT), opens("/tmp/escaped", O_WRONLY | O_CREAT);
    tried(mkdir("escaped", 0777) == 0, "mkdir"), tried(symlink("/", "escaped-link") == 0, "symlink");
}
static void changes_its_copy(void) {
    opens("bot.toml", O_WRONLY), opens("bad", O_RDWR);
    tried(rename("bad", "worse") == 0, "rename"), tried(unlink("bot.toml") == 0, "unlink");
    tried(chmod("bad", 0777) == 0, "chmod"), tried(truncate("bot.toml", 0) == 0, "truncate");
}
static void locks_files(void) {
    int fd = open("bot.toml", O_RDONLY);
    struct flock lock = {.l_type = F_RDLCK};
    tried(fcntl(fd, F_SETLK, &lock) == 0, "a lock"), tried(syscall(SYS_flock, fd, 1) == 0, "flock");
}

/* -- networks and others -- */
static void calls_the_network(void) { tried(socket(AF_INET, SOCK_STREAM, 0) >= 0, "a socket"); }
static void calls_services(void) { tried(socket(AF_UNIX, SOCK_STREAM, 0) >= 0, "a local socket"); }
static void kills_the_engine(void) { tried(kill(getppid(), SIGKILL) == 0, "killed its parent"); }
static void kills_everybody(void) {
    tried(kill(-1, SIGKILL) == 0, "killed everybody"), tried(kill(0, SIGTERM) == 0, "its group");
    tried(syscall(SYS_tgkill, getppid(), getppid(), SIGKILL) == 0, "tgkill");
}
static void stops_the_engine(void) { tried(kill(getppid(), SIGSTOP) == 0, "stopped its parent"); }
static void traces_the_engine(void) { tried(ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0, "ptrace"); }
static void reads_the_engines_memory(void) {
    char here[8];
    struct iovec to = {here, 8}, from = {(void *)0x400000, 8};
    tried(process_vm_readv(getppid(), &to, 1, &from, 1, 0) > 0, "process_vm_readv");
}
static void limits_the_engine(void) {
    struct rlimit low = {1, 1};
    tried(prlimit(getppid(), RLIMIT_CPU, &low, NULL) == 0, "prlimit");
}
static void slows_the_engine(void) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    tried(setpriority(PRIO_PROCESS, getppid(), 19) == 0, "setpriority");
    tried(sched_setaffinity(getppid(), sizeof one, &one) == 0, "sched_setaffinity");
}
static void reads_the_opponents_clock(void) {
    struct timespec time;
    tried(clock_gettime((~(clockid_t)getppid() << 3) | 2, &time) == 0, "a CPU clock");
}
static void uses_odd_calls(void) {
    tried(syscall(SYS_io_uring_setup, 4, line) >= 0, "io_uring"), tried(syscall(SYS_bpf, 0, 0, 0) >= 0, "bpf");
    tried(syscall(SYS_unshare, 0x10000000) == 0, "unshare"), tried(syscall(SYS_keyctl, 0, -3, 1) >= 0, "keyctl");
    tried(syscall(SYS_userfaultfd, 0) >= 0, "userfaultfd"), tried(syscall(SYS_mq_open, "escaped", 0102, 0600, 0) >= 0, "mq");
    tried(syscall(SYS_perf_event_open, line, 0, -1, -1, 0) >= 0, "perf"), tried(syscall(SYS_seccomp, 1, 0, 0) == 0, "seccomp");
}
static void makes_old_calls(void) {
#ifdef __x86_64__
    long result = 20;
    __asm__ volatile("int $0x80" : "+a"(result));  /* getpid of 32-bit programs */
    escaped("a 32-bit call");
#else
    raise(SIGSYS);
#endif
}
static void reads_its_environment(void) {
    for (char **word = environ; *word; word++) tried(strstr(*word, "CANARY") != NULL, *word);
}
static void finds_descriptors(void) {
    for (int fd = 3; fd < 1024; fd++) tried(fcntl(fd, F_GETFD) >= 0, "a descriptor is left open");
}

/* -- time -- */
static void loops(void) { for (volatile long count = 0;; count++); }
static void ignores_signals_and_loops(void) {
    for (int number = 1; number < 32; number++) signal(number, SIG_IGN);
    loops();
}
static void sleeps(void) { for (;;) sleep(1); }
static volatile long pondered;
static void *ponders_on(void *_) { (void)_; for (;;) pondered++; return NULL; }
static void ponders(void) {
    static pthread_t thread;
    if (!thread) pthread_create(&thread, NULL, ponders_on, NULL);
}
static void ponders_alone(void) {
    answer("LEFT");
    for (clock_t end = clock() + 60000; clock() < end;) pondered++;
    if (!fgets(line, sizeof line, stdin)) exit(0);
    nonce = atol(strstr(line, "\"nonce\":") + 8);
}

/* -- words -- */
static void writes_a_banner(void) { say("Welcome to my bot!"); }
static void answers_twice(void) {  /* at once, and no third time: how many come together is certain */
    put_answer("LEFT"), put_answer("LEFT"), fflush(stdout), sleeps();
}
static void answers_half_a_line(void) { printf("{\"type\":\"answ"), fflush(stdout), sleeps(); }
static void answers_half_and_exits(void) { printf("{\"type\":\"answ"), fflush(stdout), _exit(3); }
static void answers_100_mb(void) { for (int parts = 0; parts < 100; parts++) fwrite(line, 1, 1 << 20, stdout); }
static void answers_in_zeroes(void) { for (int parts = 0; parts < 100; parts++) putchar(0); say(""); }
static void answers_an_old_nonce(void) { nonce -= 1, answer("LEFT"); }
static void answers_brackets(void) { for (int depth = 0; depth < 3000; depth++) putchar('['); say(""); }
static void answers_broken_utf8(void) { say("{\"type\":\"answer\",\"nonce\":1,\"answer\":\"\xff\xfe\"}"); }
static void answers_terminal_codes(void) { say("\033[31m\033[2J"); }
static void answers_fly(void) { answer("FLY"), fgets(line, sizeof line, stdin), nonce = atol(strstr(line, "\"nonce\":") + 8); }
static void forges_a_problem(void) { printf("[%ld,null,[\"timeout\",\"the engine's fault\"]]\n", nonce), fflush(stdout); }
static void keeps_its_answers(void) { static char buffer[1 << 16]; setvbuf(stdout, buffer, _IOFBF, sizeof buffer), sleeps(); }
static void floods_its_log(void) { for (int parts = 0; parts < 200; parts++) fwrite(line, 1, 1 << 16, stderr); }
static void closes_its_pipes(void) { close(0), close(1), sleeps(); }
static void exits(void) { fputs("no more ideas\n", stderr), exit(7); }
static void crashes(void) { volatile int *nowhere = NULL; *nowhere = 1; }
static void divides_by_zero(void) { volatile int none = 0; none = 7 / none; }
static void aborts(void) { abort(); }

#define BOT(name) {#name, name}
static struct { const char *name; void (*act)(void); } bots[] = {
    BOT(forks), BOT(vforks), BOT(fork_bombs), BOT(daemonizes), BOT(clones), BOT(clones_anew),
    BOT(runs_a_shell), BOT(runs_itself_again), BOT(runs_by_descriptor), BOT(runs_by_popen),
    BOT(bombs_with_threads), BOT(leaves_its_session), BOT(fills_memory), BOT(shares_memory),
    BOT(maps_zeroes), BOT(hides_memory_in_files), BOT(hides_memory_in_segments),
    BOT(reads_its_own_memory_in), BOT(overflows_its_stack), BOT(raises_its_limits),
    BOT(reads_secrets), BOT(lists_its_neighbors), BOT(reads_proc), BOT(opens_devices),
    BOT(writes_files), BOT(changes_its_copy), BOT(locks_files), BOT(calls_the_network),
    BOT(calls_services), BOT(kills_the_engine), BOT(kills_everybody), BOT(stops_the_engine),
    BOT(traces_the_engine), BOT(reads_the_engines_memory), BOT(limits_the_engine),
    BOT(slows_the_engine), BOT(reads_the_opponents_clock), BOT(uses_odd_calls),
    BOT(makes_old_calls), BOT(reads_its_environment), BOT(finds_descriptors), BOT(loops),
    BOT(ignores_signals_and_loops), BOT(sleeps), BOT(ponders), BOT(ponders_alone), BOT(threads_unasked), BOT(writes_a_banner),
    BOT(answers_twice), BOT(answers_half_a_line), BOT(answers_half_and_exits),
    BOT(answers_100_mb), BOT(answers_in_zeroes), BOT(answers_an_old_nonce),
    BOT(answers_brackets), BOT(answers_broken_utf8), BOT(answers_terminal_codes),
    BOT(answers_fly), BOT(forges_a_problem), BOT(keeps_its_answers), BOT(floods_its_log),
    BOT(closes_its_pipes), BOT(exits), BOT(crashes), BOT(divides_by_zero), BOT(aborts),
};

int main(int count, char **arguments) {
    words = arguments;
    void (*act)(void) = NULL;
    for (size_t place = 0; place < sizeof bots / sizeof *bots; place++)
        if (count > 1 && strcmp(bots[place].name, arguments[1]) == 0) act = bots[place].act;
    if (count > 2) act();  /* "at once": before the hello */
    say("{\"type\":\"hello\",\"protocol\":1,\"wants\":\"events\"}");
    if (!fgets(line, sizeof line, stdin)) return 0;
    say("{\"type\":\"ready\"}");
    while (fgets(line, sizeof line, stdin)) {
        nonce = atol(strstr(line, "\"nonce\":") + 8);
        if (act != NULL && count == 2) act();
        answer("LEFT");
    }
    return 0;
}
