using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Front end of a suite: it shows what happens, and asks the user. All calls come from the thread that runs the suite.</summary>
public interface ISuiteFront
{
    /// <summary>True if no test runs after the refusal of a target, as in the program. Otherwise, the other tests run.</summary>
    bool NeedsAllTargets => false;

    /// <summary>Asks about a target; the default answer is no. Returns <see cref="TargetAnswer.CannotAsk"/> if the user cannot be
    /// asked.</summary>
    TargetAnswer Ask(TargetQuestionKind kind, string path, IoMessage text) => TargetAnswer.CannotAsk;

    /// <summary>Asks before the first test whether the tests of a group run.</summary>
    bool Confirm(TargetGroup group) => true;

    /// <summary>Receives a refused target. Its tests do not run.</summary>
    void OnRefused(string path, IoBenchException error) { }

    /// <summary>Receives what runs, before the first test.</summary>
    /// <param name="targets">Lines about the targets and the duration.</param>
    /// <param name="notices">Large new files and preconditioning, which the user must know.</param>
    void OnPrepared(IEnumerable<string> targets, IEnumerable<IoMessage> notices) { }

    /// <summary>Receives the number of tests of a resumed run, and how many of them remain.</summary>
    void OnResumed(int total, int remaining) { }

    /// <summary>The journal, which the user did not request, has a problem.</summary>
    void OnJournalProblem(IoWarning warning) { }

    /// <summary>Runs a check that a device can block indefinitely. Interactive front ends run it so that the user can cancel it.</summary>
    /// <param name="path">File in use, for messages.</param>
    T RunCancellable<T>(string path, Func<T> check)
    {
        ArgumentNullException.ThrowIfNull(check);
        return check();
    }

    /// <summary>Runs a save that is never abandoned, because results would be lost.</summary>
    /// <param name="path">File in use, for messages.</param>
    void RunToCompletion(string path, Action save)
    {
        ArgumentNullException.ThrowIfNull(save);
        save();
    }

    /// <summary>Receives the progress, several times per second.</summary>
    void OnProgress(SuiteProgress progress);

    /// <summary>A test has ended, so the progress of <see cref="OnProgress"/> is no longer valid.</summary>
    void OnTestEnded();

    void OnWarning(IoWarning warning);

    /// <summary>Receives a log line about the actual run: file, backend, flags.</summary>
    void OnLog(string line);

    /// <summary>Receives a result after it was saved.</summary>
    void OnResult(IoTestResult result);

    /// <summary>Receives a failure. The suite continues unless it is configured to stop.</summary>
    void OnFailure(SuiteFailure failure);
}
