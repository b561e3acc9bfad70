using System.Runtime.InteropServices;

namespace IoBench.Engine.Tests;

public sealed unsafe class BackendNegotiationTests
{
    [BackendFact(LinuxAioBackend.Name, IoUringBackend.Name)]
    public void A_backend_that_is_refused_to_one_worker_costs_the_whole_run_one_rung()
    {
        using var file = new TestFile(1 << 20);
        var log = new List<string>();
        var made = new List<Scripted>();
        var result = Run(file, log, made, number => number == 2 ? "the script refuses" : null, BackendCatalog.Auto);
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.Equal("LinuxAio", result.Backend);
        Assert.Equal("IoUring is not used: the script refuses.", result.Host["Better backends"]);
        Assert.Contains("IoUring is not used: the script refuses.", log);
        Assert.Equal(8, made.Count);
        // Workers that got the backend closed it before the next backend was tried.
        Assert.All(made.Take(4), backend => Assert.True(backend.IsClosed));
    }

    [LinuxFact]
    public void A_backend_asked_for_by_name_fails_with_the_reason()
    {
        using var file = new TestFile(1 << 20);
        var made = new List<Scripted>();
        var error = Assert.Throws<IoBenchException>(() =>
            Run(file, [], made, number => number == 3 ? "the script refuses" : null, ThreadsBackend.Name)
        );
        Assert.Equal("IoBench.BackendNotAvailable", error.ErrorId);
        Assert.Contains("cannot be used: the script refuses. Leave the choice to IoBench", error.Message, StringComparison.Ordinal);
        Assert.Equal(4, made.Count);
    }

    [Fact]
    public void What_one_worker_is_not_granted_none_keeps()
    {
        using var file = new TestFile(1 << 20);
        var made = new List<Scripted>();
        Run(
            file,
            [],
            made,
            _ => null,
            ThreadsBackend.Name,
            number => number == 1 ? BackendExtras.RegisteredFiles : BackendExtras.RegisteredFiles | BackendExtras.RegisteredBuffers
        );
        Assert.Equal(4, made.Count);
        Assert.All(made, backend => Assert.Equal(BackendExtras.RegisteredFiles, backend.Kept));
    }

    [Fact]
    public void Extras_are_taken_when_every_worker_has_what_it_needs()
    {
        using var file = new TestFile(1 << 20);
        var made = new List<Scripted>();
        Run(
            file,
            [],
            made,
            _ => null,
            ThreadsBackend.Name,
            _ => made.All(b => b.IsOpen) && made.Count == 4 ? BackendExtras.RegisteredFiles : BackendExtras.None
        );
        Assert.All(made, backend => Assert.Equal(BackendExtras.RegisteredFiles, backend.Kept));
    }

    [Theory]
    [InlineData("a, b", "a, b", "a, b")]
    [InlineData("a, b", "a", "a; 1 of 2 with b")]
    [InlineData("a", "b", "1 of 2 with a, 1 of 2 with b")]
    [InlineData("", "", "")]
    public void What_some_workers_have_is_counted(string first, string second, string expected) =>
        Assert.Equal(expected, GrantText.Of([Parts(first), Parts(second)]));

    private static string[] Parts(string text) => text.Split(", ", StringSplitOptions.RemoveEmptyEntries);

    [Theory]
    [InlineData(Architecture.S390x)]
    [InlineData(Architecture.Ppc64le)]
    [InlineData(Architecture.LoongArch64)]
    public void Native_asynchronous_io_is_refused_where_its_calls_have_other_numbers(Architecture processor) =>
        Assert.Contains("x64 and arm64 only", LinuxAioBackend.WhyNotFor(processor, [1]), StringComparison.Ordinal);

    [AioLimitFact]
    public void Contexts_for_all_workers_together_are_tried()
    {
        var half = (int)(LinuxLimits.AioRequests()!.Value / 2) + 4096;
        Assert.Null(LinuxAioBackend.WhyNotFor(RuntimeInformation.ProcessArchitecture, [64, 64]));
        Assert.Contains(
            "fs.aio-max-nr",
            LinuxAioBackend.WhyNotFor(RuntimeInformation.ProcessArchitecture, [half, half]),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Memory_is_registered_in_pieces_and_no_slot_lies_in_two()
    {
        const int slots = 10,
            stride = 4096 * 3;
        var memory = (byte*)NativeMemory.AlignedAlloc(slots * stride, 4096);
        var all = (IoSlot*)NativeMemory.AllocZeroed(slots, (nuint)sizeof(IoSlot));
        for (var i = 0; i < slots; i++)
        {
            all[i].ReadBuffer = memory + i * stride;
            all[i].WriteBuffer = all[i].ReadBuffer + 4096;
        }
        try
        {
            var setup = new BackendSetup
            {
                Slots = all,
                SlotCount = slots,
                Buffers = memory,
                BufferBytes = slots * stride,
                Targets = [],
            };
            var pieces = RegisteredPieces.Cut(setup, 4 * stride + 4096);
            Assert.Equal([4 * stride, 4 * stride, 2 * stride], pieces.Select(p => (int)p.Length));
            for (var i = 0; i < slots; i++)
            {
                var piece = pieces[all[i].Piece];
                Assert.True(all[i].ReadBuffer >= piece.Base && all[i].WriteBuffer + 8192 <= piece.Base + piece.Length);
            }
            Assert.Equal((nuint)(slots * stride), Assert.Single(RegisteredPieces.Cut(setup, 1 << 30)).Length);
            Assert.All(Enumerable.Range(0, slots), i => Assert.Equal(0, all[i].Piece));
        }
        finally
        {
            NativeMemory.Free(all);
            NativeMemory.AlignedFree(memory);
        }
    }

    [BackendFact(IoUringBackend.Name)]
    public void Writes_from_several_registered_pieces_arrive_whole()
    {
        const ulong seed = 77;
        const int block = 16 << 10;
        using var file = new TestFile(2 << 20);
        var result = TestFile.RunWithSeed(
            file.Specification(s =>
            {
                (s.Backend, s.Buffering, s.WritePercent, s.OutstandingIO, s.ThreadCount, s.BlockSize) = (
                    IoUringBackend.Name,
                    IoBuffering.None,
                    50,
                    16,
                    2,
                    block
                );
                s.AccessPattern = IoAccessPattern.Interlocked;
                s.Duration = TimeSpan.FromSeconds(1);
            }),
            seed,
            () => new IoUringBackend { LargestPiece = 100 << 10 }
        );
        Assert.Equal(IoResultStatus.Complete, result.Status);
        var now = File.ReadAllBytes(file.Path);
        var written = 0;
        for (var at = 0; at < now.Length; at += BlockStamp.BlockSize)
        {
            if (BlockStamp.IsOurs(now.AsSpan(at, BlockStamp.BlockSize), seed, at))
                written++;
            else
                Assert.True(
                    now.AsSpan(at, BlockStamp.BlockSize).SequenceEqual(file.Original.AsSpan(at, BlockStamp.BlockSize)),
                    $"what lies at {at} is neither old nor new"
                );
        }
        Assert.True(written > 0);
        if (Environment.IsPrivilegedProcess)
            Assert.Contains("registered buffers", result.Host["Backend"], StringComparison.Ordinal);
    }

    [BackendTheory(IoUringBackend.Name)]
    [InlineData(IoBuffering.Both, 8 << 10, true)]
    [InlineData(IoBuffering.Software, 64 << 10, true)]
    [InlineData(IoBuffering.Both, 128 << 10, false)]
    [InlineData(IoBuffering.None, 8 << 10, false)]
    public void Small_blocks_that_the_file_cache_copies_have_plain_buffers_of_all_threads(IoBuffering buffering, int block, bool arePlain)
    {
        using var file = new TestFile(1 << 20);
        var result = TestFile.RunWithSeed(
            file.Specification(s =>
                (s.Backend, s.Buffering, s.BlockSize, s.WritePercent, s.Duration) = (
                    IoUringBackend.Name,
                    buffering,
                    block,
                    50,
                    TimeSpan.FromMilliseconds(100)
                )
            ),
            1
        );
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.Equal(arePlain, result.Host["Backend"].Contains("plain buffers (the file cache copies)", StringComparison.Ordinal));
    }

    [Fact]
    public void One_unbuffered_target_gives_all_workers_registered_buffers()
    {
        var specification = new IoTestSpecification
        {
            Targets = [new("a.dat") { Pattern = new IoPattern { Buffering = IoBuffering.None } }, new("b.dat")],
            Buffering = IoBuffering.Both,
        };
        CheckedTarget[] targets = [.. specification.Targets.Select(target => new CheckedTarget { Path = target.Path, Size = 1 << 20 })];
        Assert.All(RunPlan.Make(specification, targets).Workers, worker => Assert.False(worker.IsCopied));
    }

    [SubmissionPollingFact]
    public void A_thread_of_the_kernel_takes_submissions_when_it_is_asked_to()
    {
        const ulong seed = 78;
        using var file = new TestFile(2 << 20);
        var result = TestFile.RunWithSeed(
            file.Specification(s =>
            {
                (s.Polling, s.WritePercent, s.OutstandingIO, s.ThreadCount, s.FlushEvery) = (IoPolling.Submission, 50, 16, 1, 10);
                // A low rate, so that the kernel thread falls asleep and must be woken, and the worker waits for scheduled times.
                (s.TargetIops, s.Duration, s.AccessPattern) = (200, TimeSpan.FromSeconds(4), IoAccessPattern.Interlocked);
            }),
            seed
        );
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.StartsWith("IoUring (sqpoll", result.Host["Backend"], StringComparison.Ordinal);
        Assert.InRange(result.IOCount!.Value, 400, 900);
        var now = File.ReadAllBytes(file.Path);
        Assert.Contains(
            Enumerable.Range(0, now.Length / BlockStamp.BlockSize),
            i => BlockStamp.IsOurs(now.AsSpan(i * BlockStamp.BlockSize, BlockStamp.BlockSize), seed, i * BlockStamp.BlockSize)
        );
    }

    [BackendTheory(IoUringBackend.Name)]
    [InlineData(IoPolling.Completion)]
    [InlineData(IoPolling.Hybrid)]
    public void A_device_without_queues_to_poll_is_told(IoPolling polling)
    {
        using var file = new TestFile(1 << 20);
        var error = Assert.Throws<IoBenchException>(() =>
            TestFile.RunWithSeed(file.Specification(s => (s.Polling, s.Buffering) = (polling, IoBuffering.None)), 1)
        );
        Assert.Equal("IoBench.BackendNotAvailable", error.ErrorId);
        Assert.StartsWith("Polling " + polling, error.Message, StringComparison.Ordinal);
        Assert.Contains("has no queues that can be polled", error.Message, StringComparison.Ordinal);
        Assert.EndsWith(". Leave Polling out.", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(IoPolling.Submission, ThreadsBackend.Name, IoBuffering.None, 0)]
    [InlineData(IoPolling.Completion, BackendCatalog.Auto, IoBuffering.Both, 0)]
    [InlineData(IoPolling.Hybrid, IoUringBackend.Name, IoBuffering.None, 16)]
    public void Polling_is_refused_where_it_makes_no_sense(IoPolling polling, string backend, IoBuffering buffering, int flushEvery)
    {
        var specification = new IoTestSpecification
        {
            Targets = [new("t.dat")],
            Polling = polling,
            Backend = backend,
            Buffering = buffering,
            FlushEvery = flushEvery,
        };
        Assert.Equal(
            "IoBench.ConflictingOptions",
            Assert.Throws<IoBenchException>(() => SpecificationValidator.Validate(specification)).ErrorId
        );
    }

    private static IoTestResult Run(
        TestFile file,
        List<string> log,
        List<Scripted> made,
        Func<int, string?> refusal,
        string kind,
        Func<int, BackendExtras>? extras = null
    )
    {
        using var run = new TestRun(
            file.Specification(s => (s.Backend, s.ThreadCount, s.Duration) = (kind, 4, TimeSpan.FromMilliseconds(100))),
            new TestRunOptions { Log = log.Add }
        )
        {
            BackendFactory = () =>
            {
                lock (made)
                {
                    made.Add(new Scripted(refusal(made.Count), made.Count, extras));
                    return made[^1];
                }
            },
        };
        run.Start();
        run.Wait(Timeout.InfiniteTimeSpan);
        return run.GetResult();
    }

    private sealed class SubmissionPollingFactAttribute : FactAttribute
    {
        public SubmissionPollingFactAttribute() => Skip = BackendFactAttribute.Reason(IoUringBackend.Name) ?? WhyNot();

        private static string? WhyNot()
        {
            using var ring = IoUringRing.Create(8, out _, IoPolling.Submission);
            return ring is null ? "needs a kernel thread that polls submissions" : null;
        }
    }

    private sealed class Scripted(string? refusal, int number, Func<int, BackendExtras>? extras) : IoBackend
    {
        private readonly ThreadsBackend _inner = new();

        public bool IsOpen { get; private set; }
        public bool IsClosed { get; private set; }
        public BackendExtras Kept { get; private set; }
        public override BackendDescriptor Kind => ThreadsBackend.Descriptor;
        public override bool HasExtras => true;

        public override void Open(BackendSetup setup)
        {
            if (refusal is not null)
                throw BackendRefusal.Error(Kind, refusal);
            _inner.Open(setup);
            IsOpen = true;
        }

        public override BackendExtras TakeExtras() => extras?.Invoke(number) ?? BackendExtras.None;

        public override void Keep(BackendExtras common) => Kept = common;

        public override int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions) =>
            _inner.SubmitAndReap(ready, count, until, completions);

        public override void Close()
        {
            IsClosed = true;
            if (IsOpen)
                _inner.Close();
        }
    }
}
