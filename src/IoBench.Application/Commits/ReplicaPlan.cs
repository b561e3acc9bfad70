using IoBench.Engine;

namespace IoBench.Application;

/// <summary>What <c>iobench replica</c> serves: a test file, at an address, with a secret.</summary>
public sealed record ReplicaPlan(IoTestSpecification Test, ReplicaEndpoint Listen, SharedSecret Secret)
{
    private const long MinFileSize = 4 << 20;

    /// <exception cref="IoBenchException">A value is invalid, or the secret is missing.</exception>
    public static ReplicaPlan Create(string path, OptionValues values)
    {
        var text = values.GetText(new OptionName("Listen"));
        var listen = text is null ? ReplicaEndpoint.Loopback : ReplicaEndpoint.Parse(text);
        ReplicaServer.ParseAddress(listen);
        var secret = CommitPlan.ReadSecret(values);
        var test = CommitPlan.CreateTest(path, values, TimeSpan.FromDays(1));
        if (test.FileSize < MinFileSize)
            throw IoBenchException.Usage(
                "IoBench.InvalidSize",
                $"{OptionNames.FileSize.WithValue(new IoSize(test.FileSize.Value))} is too small for a test with a replica.",
                path,
                advice: $"Use {OptionNames.FileSize.WithValue(new IoSize(MinFileSize))} or more."
            );
        SpecificationValidator.Validate(test);
        test.AssignSeed(IoTestSpecification.CreateSeedBase(), 0, round: 1);
        return new ReplicaPlan(test, listen, secret);
    }

    /// <summary>Serves commit tests until the token is canceled. The ownership marker of the file is closed.</summary>
    /// <param name="say">Receives what happens, line by line, from several threads.</param>
    /// <exception cref="IoBenchException">The file is refused, or the port cannot be opened.</exception>
    public void Serve(
        TestRunOptions options,
        Action<string, long, long> onProgress,
        Action<IoWarning> onWarning,
        Action<string> say,
        CancellationToken token
    )
    {
        using var process = new MeasurementProcessScope();
        if (process.Warning is { } warning)
            onWarning(warning);
        if (Secret.Warning is { } readable)
            onWarning(readable);
        CommitRunner.Use(
            Test,
            options,
            extends: false,
            onProgress,
            onWarning,
            target =>
            {
                ReplicaServer.Run(target, Listen, Secret, say, token);
                return true;
            },
            token
        );
    }
}
