# Handlers of a program that starts others: they must outlive os.system, subprocess and os.popen.
import os
import signal
import subprocess

hits = []
signal.signal(signal.SIGCHLD, lambda number, frame: hits.append(number))
signal.signal(signal.SIGINT, lambda number, frame: hits.append(number))
for i in range(2):
    print("system", os.system("exit 3"))
    print("run", subprocess.run(["sh", "-c", "exit 4"], close_fds=bool(i)).returncode)
    os.kill(os.getpid(), signal.SIGINT)
print("popen", os.popen("echo hello").read())
print("handled", hits.count(signal.SIGINT), hits.count(signal.SIGCHLD) >= 2)
