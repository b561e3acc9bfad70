using System.Globalization;

namespace IoBench.Engine.Tests;

public unsafe class RandomCorruptionTests(Xunit.Abstractions.ITestOutputHelper output)
{
    private const int Block = 8192;
    private static readonly int s_countPerKind = int.Parse(
        Environment.GetEnvironmentVariable("IOBENCH_FUSE_LIES") ?? "5",
        CultureInfo.InvariantCulture
    );

    [FuseTheory]
    [
        InlineData("lose", IoIntegrityErrorKind.LostWrite),
        InlineData("tear-512", IoIntegrityErrorKind.TornWrite),
        InlineData("tear-4096", IoIntegrityErrorKind.TornWrite)
    ]
    [
        InlineData("misdirect-write", IoIntegrityErrorKind.MisdirectedWrite),
        InlineData("flip-write", IoIntegrityErrorKind.BitFlip),
        InlineData("zero-write", IoIntegrityErrorKind.Zeros)
    ]
    [
        InlineData("stale", IoIntegrityErrorKind.StaleRead),
        InlineData("misdirect-read", IoIntegrityErrorKind.MisdirectedRead),
        InlineData("flip-read", IoIntegrityErrorKind.BitFlip)
    ]
    [InlineData("zero-read", IoIntegrityErrorKind.Zeros), InlineData("not-read", IoIntegrityErrorKind.NotRead)]
    public void Each_random_corruption_is_reported_once_with_kind_and_offset(string lie, IoIntegrityErrorKind kind)
    {
        var (journal, found, result) = RunWithCorruption(lie);
        var expected = journal
            .Faults.Where(l => l.MustBeFound)
            .Select(l => (Kind: l.IsLostWriteOnly ? IoIntegrityErrorKind.LostWrite : kind, l.Offset, Length: (long)l.Length))
            .ToList();
        var named = found.ConvertAll(e => (e.Kind, e.Offset, Length: (long)e.Length));
        var (missed, wrong) = (Subtract(expected, named), Subtract(named, expected));
        output.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{lie}: {journal.Faults.Count} told, {journal.Faults.Count - expected.Count} of them written over unseen, {expected.Count - missed.Count} named rightly, {missed.Count} missed, {wrong.Count} false"
                    + $"; {result.Backend}, {result.Integrity!.ReadCount:#,##0} reads and {result.Integrity.WriteCount:#,##0} writes of 8 KB, {(result.Integrity.ReadBytes + result.Integrity.WriteBytes) / 1e9:0.0} GB; unjudged {result.Integrity.UnjudgedCount}"
            )
        );
        Assert.True(
            missed.Count + wrong.Count == 0,
            $"missed {string.Join(" ", missed.Take(20))}; false {string.Join("\n", found.Where(e => wrong.Contains((e.Kind, e.Offset, e.Length))).Take(20).Select(e => $"{e.Kind} {e.Phase} {e.Offset}+{e.Length} {e.Time:O}: {e.Expected} / {e.Found} lasting {e.IsLasting}"))}"
        );
        Assert.True(expected.Count >= s_countPerKind);
        Assert.Equal(expected.Count, result.Integrity.ErrorCount);
        Assert.Equal(ErrorIds.IntegrityErrors, result.ErrorId);
        // No error is reported before its fault was injected.
        foreach (var told in journal.Faults.Where(l => l.MustBeFound))
            Assert.All(
                found.Where(e => e.Offset == told.Offset),
                e => Assert.True(e.Time.ToUnixTimeMilliseconds() / 1e3 >= told.Time - 0.01)
            );
    }

    [FuseFact]
    public void Short_read_with_a_correct_count_is_continued_without_error()
    {
        // Not with io_uring: Linux 6.18 reads the rest itself, from the wrong offset of a FUSE file, and reports a full read. Verification
        // correctly reports an error there.
        var (journal, found, result) = RunWithCorruption("short-count", ThreadsBackend.Name);
        output.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"short-count: {journal.Faults.Count} told, {found.Count} false; {result.Backend}, {result.Integrity!.ReadCount:#,##0} reads and {result.Integrity.WriteCount:#,##0} writes"
            )
        );
        Assert.True(journal.Faults.Count >= s_countPerKind);
        Assert.True(
            found.Count == 0,
            string.Join(
                "\n",
                found.Select(e => $"{e.Kind} {e.Phase} {e.Offset}+{e.Length}: {e.Expected} / {e.Found} lasting {e.IsLasting}")
            )
        );
        Assert.Equal(IoResultStatus.Complete, result.Status);
    }

    private static (FaultLog Journal, List<IoIntegrityError> Found, IoTestResult Result) RunWithCorruption(
        string lie,
        string backend = BackendCatalog.Auto
    )
    {
        using var disk = new FaultyDisk("random_lies.py");
        var path = disk.GetPath("lies.dat");
        // The file system corrupts no block twice, and up to half of the corruptions are overwritten before a read returns them.
        var blocks = Math.Max(1024, 16 * s_countPerKind);
        var specification = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification(path)],
            FileSize = blocks * Block,
            Duration = TimeSpan.FromMinutes(30),
            WarmUp = TimeSpan.Zero,
            ThreadCount = 3,
            OutstandingIO = 6,
            // The rate leaves half of the blocks two seconds between two writes, on a computer of any speed.
            MaxIopsPerThread = 0.8 * blocks / 3,
            WritePercent = 40,
            BlockSize = Block,
            Buffering = IoBuffering.Hardware,
            Backend = backend,
            Verify = true,
        };
        var found = new List<IoIntegrityError>();
        using var named = new StreamWriter(Path.Combine(disk.BackingFolder, ".named")) { AutoFlush = true };
        // The callback runs under a lock, so it is called once at a time. An error that gets another kind is reported again.
        using var run = new TestRun(specification, new TestRunOptions())
        {
            IntegrityFound = error =>
            {
                if (!found.Contains(error))
                    found.Add(error);
                named.Write(string.Create(CultureInfo.InvariantCulture, $"{error.Kind} {error.Offset}\n"));
            },
        };
        run.Start();
        while (run.GetProgress().Phase < RunPhase.Measuring)
            Assert.False(run.Wait(TimeSpan.FromMilliseconds(10)), "The run ended too early.");
        var wanted = Path.Combine(disk.BackingFolder, ".wanted");
        File.WriteAllText(wanted + ".new", $"{lie} {s_countPerKind} {GetBufferMarkerHex()}");
        File.Move(wanted + ".new", wanted);
        while (!ReadFaultLog(disk).HasEnoughFaults)
            Assert.False(run.Wait(TimeSpan.FromMilliseconds(500)), "The run ended too early.");
        run.StopIO();
        Assert.True(run.Wait(TimeSpan.FromMinutes(5)));
        return (ReadFaultLog(disk), found, run.GetResult());
    }

    private static FaultLog ReadFaultLog(FaultyDisk disk)
    {
        // The last line can be incomplete.
        using var reader = new StreamReader(
            new FileStream(
                Path.Combine(disk.BackingFolder, ".lies"),
                FileMode.Open,
                FileAccess.Read,
                FileShare.ReadWrite | FileShare.Delete
            )
        );
        var text = reader.ReadToEnd();
        return new FaultLog(text[..(text.LastIndexOf('\n') + 1)].Split('\n', StringSplitOptions.RemoveEmptyEntries));
    }

    private static string GetBufferMarkerHex()
    {
        var sector = stackalloc byte[512];
        StreamVerifier.MarkBuffer(sector, 512);
        return Convert.ToHexString(new ReadOnlySpan<byte>(sector + 504, 8));
    }

    private static List<T> Subtract<T>(List<T> from, List<T> what)
    {
        var rest = new List<T>(from);
        what.ForEach(item => rest.Remove(item));
        return rest;
    }
}
