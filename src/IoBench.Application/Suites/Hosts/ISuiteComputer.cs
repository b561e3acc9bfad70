using IoBench.Engine;

namespace IoBench.Application;

public interface ISuiteComputer
{
    /// <summary>Name that the host reports. Two hosts can have the same name, such as two connections to one computer.</summary>
    string ComputerName { get; }

    bool IsUsable { get; }
}

/// <summary>Runs the work of a suite on hosts and shows their progress and errors. A host that was reported as lost is no longer
/// usable.</summary>
public interface IHostTransport<THost>
    where THost : class, ISuiteComputer
{
    /// <summary>Checks the tests and creates the files on all hosts.</summary>
    /// <param name="shares">Hosts and the indexes of their tests in the plan, from 0, in the plan's order.</param>
    /// <param name="ready">Receives the host and the index of each test that can run there.</param>
    void PrepareHosts(
        IReadOnlyList<IoTestSpecification> tests,
        IReadOnlyList<(THost Host, IReadOnlyList<int> Tests)> shares,
        Action<THost, int> ready
    );

    /// <param name="number">Index of the test in the plan, from 0.</param>
    /// <param name="requests">Hosts and the IOPS of each target of a rate-limited mix; otherwise no rates.</param>
    /// <returns>Results as they arrive, none for a failed test. Ending the enumeration early ends the test on all hosts.</returns>
    IEnumerable<(THost Host, IoTestResult Result)> RunTest(
        int number,
        TimeSpan leftAfter,
        IReadOnlyList<(THost Host, IReadOnlyList<double> Rates)> requests
    );

    void EndSuite(IReadOnlyList<THost> hosts, bool removeTestFiles);
}

/// <summary>Receives events of a suite on several hosts. All calls come from the thread that runs the suite.</summary>
public interface IHostSuiteObserver<THost>
    where THost : class, ISuiteComputer
{
    /// <summary>Receives a result after it was saved.</summary>
    void OnResult(THost host, IoTestResult result);

    /// <summary>Receives a failure. The suite continues.</summary>
    void OnFailure(THost host, SuiteFailure failure);

    void OnWarning(THost host, IoWarning warning);

    /// <summary>Receives a note about a host: completed tests of an earlier run, or its summary.</summary>
    void OnNote(THost host, IoMessage note);
}
