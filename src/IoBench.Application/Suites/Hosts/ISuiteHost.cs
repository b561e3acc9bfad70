using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Host of a suite.</summary>
public interface ISuiteHost
{
    /// <summary>Name that the host reports. Two hosts can have the same name, such as two connections to one computer.</summary>
    string ComputerName { get; }

    /// <summary>True while the host can be reached.</summary>
    bool IsUsable { get; }
}

/// <summary>Tests of one host.</summary>
/// <typeparam name="THost">Type of the hosts.</typeparam>
/// <param name="Tests">Indexes of the tests in the plan, from 0, in the plan's order.</param>
public sealed record HostTests<THost>(THost Host, IReadOnlyList<int> Tests)
    where THost : class, ISuiteHost;

/// <summary>Request to run a test on one host.</summary>
/// <typeparam name="THost">Type of the hosts.</typeparam>
/// <param name="Rates">IOPS of each target of a rate-limited mix, from earlier results of this host; otherwise empty.</param>
public sealed record HostRunRequest<THost>(THost Host, IReadOnlyList<double> Rates)
    where THost : class, ISuiteHost;

/// <summary>
/// Runs the work of a suite on hosts that have IoBench. The implementation shows progress, messages, and errors of the hosts. After it has
/// reported a lost host, the host is no
/// longer usable.
/// </summary>
/// <typeparam name="THost">Type of the hosts.</typeparam>
public interface IHostTransport<THost>
    where THost : class, ISuiteHost
{
    /// <summary>Checks the tests and creates the files on all hosts.</summary>
    /// <param name="tests">The plan.</param>
    /// <param name="shares">Tests of each host.</param>
    /// <param name="ready">Receives the host and the index of each test that can run there.</param>
    void PrepareHosts(IReadOnlyList<IoTestSpecification> tests, IReadOnlyList<HostTests<THost>> shares, Action<THost, int> ready);

    /// <summary>Runs one test on several hosts at the same time.</summary>
    /// <param name="number">Index of the test in the plan, from 0.</param>
    /// <param name="leftAfter">Estimated duration of the tests after it.</param>
    /// <param name="orders">Hosts with their rates.</param>
    /// <returns>
    /// Results as they arrive. A host whose test failed returns none. Ending the enumeration early ends the test on all hosts.
    /// </returns>
    IEnumerable<(THost Host, IoTestResult Result)> RunTest(int number, TimeSpan leftAfter, IReadOnlyList<HostRunRequest<THost>> orders);

    /// <summary>Ends the suite on hosts.</summary>
    /// <param name="removeTestFiles">True to remove the test files.</param>
    void EndSuite(IReadOnlyList<THost> hosts, bool removeTestFiles);
}

/// <summary>Receives events of a suite on several hosts. All calls come from the thread that runs the suite.</summary>
/// <typeparam name="THost">Type of the hosts.</typeparam>
public interface IHostSuiteObserver<THost>
    where THost : class, ISuiteHost
{
    /// <summary>Receives a result after it was saved.</summary>
    void OnResult(THost host, IoTestResult result);

    /// <summary>Receives a failure. The suite continues.</summary>
    void OnFailure(THost host, SuiteFailure failure);

    /// <summary>Receives a warning about results of a host.</summary>
    void OnWarning(THost host, IoWarning warning);

    /// <summary>Receives a note about a host: completed tests of an earlier run, or its summary.</summary>
    void OnNote(THost host, IoMessage note);
}
