namespace IoBench.Application.Suites.Hosts;

/// <summary>A host that takes part in a suite.</summary>
public interface ISuiteHost
{
    /// <summary>Its own name for itself. Two hosts of a suite may have one: two ways to one computer.</summary>
    string ComputerName { get; }

    /// <summary>It can still be reached and go on.</summary>
    bool IsUsable { get; }
}

/// <summary>The tests that a host has to run.</summary>
/// <param name="Tests">Numbers of the tests in the plan, from 0, in its order.</param>
public sealed record HostShare<THost>(THost Host, IReadOnlyList<int> Tests)
    where THost : class, ISuiteHost;

/// <summary>What a host needs to begin a test.</summary>
/// <param name="Rates">Of a paced mix the I/Os per second of each target, from what this host reached before; else empty.</param>
public sealed record HostOrder<THost>(THost Host, IReadOnlyList<double> Rates)
    where THost : class, ISuiteHost;

/// <summary>
/// The way to the hosts of a suite, which have IoBench by now. Progress, and what a host says and refuses meanwhile, is shown by whoever carries it; a host that is lost is
/// no longer usable, and that was said.
/// </summary>
public interface IHostTransport<THost>
    where THost : class, ISuiteHost
{
    /// <summary>Lets all hosts check their tests and make their files.</summary>
    /// <param name="tests">The plan.</param>
    /// <param name="shares">What each host has to run.</param>
    /// <param name="ready">Hears the host and the number of each test that may run there and whose files are there.</param>
    void Prepare(IReadOnlyList<IoTestSpecification> tests, IReadOnlyList<HostShare<THost>> shares, Action<THost, int> ready);

    /// <summary>Runs one test on several hosts at once.</summary>
    /// <param name="number">Its number in the plan, from 0.</param>
    /// <param name="leftAfter">Time that the tests behind it take.</param>
    /// <returns>The results as they come; a host whose test gave none is not among them. Ending the enumeration early ends the test everywhere.</returns>
    IEnumerable<(THost Host, IoTestResult Result)> Run(int number, TimeSpan leftAfter, IReadOnlyList<HostOrder<THost>> orders);

    /// <summary>Ends the suite on hosts: their test files are removed, or stay for the next.</summary>
    void End(IReadOnlyList<THost> hosts, bool removeTestFiles);
}

/// <summary>Whoever shows a suite that runs on hosts. All calls come on the thread that runs the suite.</summary>
public interface IHostObserver<THost>
    where THost : class, ISuiteHost
{
    /// <summary>A result, as soon as it is there and saved.</summary>
    void OnResult(THost host, IoTestResult result);

    /// <summary>Something failed; the suite goes on.</summary>
    void OnFailure(THost host, SuiteFailure failure);

    /// <summary>Something to beware of in what a host measured.</summary>
    void OnWarning(THost host, IoWarning warning);

    /// <summary>Something to know of a host: what it has done before, and what its results come to.</summary>
    void OnNote(THost host, IoText note);
}
