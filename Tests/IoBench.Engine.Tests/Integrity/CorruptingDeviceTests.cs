namespace IoBench.Engine.Tests;

public class CorruptingDeviceTests(Xunit.Abstractions.ITestOutputHelper output)
{
    private static readonly int s_countPerKind = int.Parse(
        Environment.GetEnvironmentVariable("IOBENCH_LIES") ?? "100",
        System.Globalization.CultureInfo.InvariantCulture
    );

    [Fact]
    public void Verification_finds_every_injected_corruption_and_nothing_else()
    {
        var folder = Directory.CreateTempSubdirectory("iobench-lies-");
        const int places = 2048;
        var device = new CorruptingDevice(places, s_countPerKind);
        var specification = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification(Path.Combine(folder.FullName, "lies.dat"))],
            FileSize = places * CorruptingDevice.BlockSize,
            Duration = TimeSpan.FromMinutes(5),
            WarmUp = TimeSpan.Zero,
            ThreadCount = 2,
            OutstandingIO = 16,
            WritePercent = 40,
            Buffering = IoBuffering.Both,
            Backend = ThreadsBackend.Name,
            Seed = 18,
            Verify = true,
        };
        using var run = new TestRun(specification, new TestRunOptions())
        {
            BackendFactory = () => new CorruptingBackend(device),
            IntegrityFound = device.AddFoundError,
        };
        run.Start();
        var until = Clock.Now + 240 * Clock.Second;
        while (!device.IsDone && Clock.Now < until)
            Assert.False(run.Wait(TimeSpan.FromMilliseconds(20)), "The run ended too early.");
        // One more second without new corruptions, so that reads can return the last ones.
        run.Wait(TimeSpan.FromSeconds(1));
        device.StopDelayingWrites();
        run.StopIO();
        Assert.True(run.Wait(TimeSpan.FromSeconds(60)));
        var result = run.GetResult();
        output.WriteLine(
            $"{result.IOCount} I/Os, {string.Join(", ", device.CorruptionCounts)}, {device.ExpectedErrors.Count()} to be named"
        );

        Assert.True(device.IsDone, string.Join(", ", device.CorruptionCounts));
        var expected = device.ExpectedErrors.Order().ToList();
        var found = device.FoundErrors.Select(e => (e.Kind, e.Offset / CorruptingDevice.BlockSize)).Order().ToList();
        var missed = Subtract(expected, found);
        var wrong = Subtract(found, expected);
        Assert.True(
            missed.Count + wrong.Count == 0,
            $"of {expected.Count}: missed {string.Join(" ", missed.Take(20))}; false {string.Join(" ", wrong.Take(20))}; {string.Join("\n", device.FoundErrors.Where(e => wrong.Contains((e.Kind, e.Offset / CorruptingDevice.BlockSize))).Take(10).Select(e => $"{e.Kind} {e.Phase} {e.Offset}+{e.Length}: {e.Expected} / {e.Found} lasting {e.IsLasting}"))}"
        );
        Assert.Equal(expected.Count, result.Integrity!.ErrorCount);
        Assert.Equal(
            expected.GroupBy(e => e.Kind).Select(g => KeyValuePair.Create(g.Key, g.Count())),
            result.Integrity.ErrorsByKind.Select(e => KeyValuePair.Create(e.Kind, (int)e.Count)).OrderBy(e => e.Key)
        );
        Assert.Equal(IoResultStatus.Failed, result.Status);
        Assert.Equal(ErrorIds.IntegrityErrors, result.ErrorId);
        folder.Delete(recursive: true);
    }

    private static List<T> Subtract<T>(List<T> from, List<T> what)
    {
        var rest = new List<T>(from);
        what.ForEach(item => rest.Remove(item));
        return rest;
    }
}
