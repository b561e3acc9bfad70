using IoBench.Engine;

namespace IoBench.Analysis.Tests;

/// <summary>The advice for modeled devices, whose latencies follow from the times of their write, FUA write, and flush.</summary>
public class CommitAdvisorTests
{
    private const string Fua = "fua",
        Flush = "flush",
        Any = "any",
        Inconclusive = "inconclusive",
        None = "none";

    /// <summary>A device and its computer. Times are in milliseconds.</summary>
    public sealed record Model(string Name, string Setting)
    {
        public double WriteMs { get; init; } = 0.05;
        public double FlushMs { get; init; } = 2;

        /// <summary>Time of a write with FUA; null without FUA.</summary>
        public double? FuaMs { get; init; }
        public bool? ReportsFua { get; init; }

        /// <summary>Write-through commits per second if the kernel merges concurrent flushes; null if flushes follow each other.</summary>
        public double? MergedFlushRate { get; init; }
        public bool HasCache { get; init; } = true;
        public bool? ReportsCache { get; init; }
        public bool UsesFua { get; init; } = true;
        public bool IsCounted { get; init; } = true;
        public string? FileSystem { get; init; } = "xfs";
        public string Kernel { get; init; } = "6.1";
        public bool IsWindows { get; init; }
        public bool IsPowerProtectionDeclared { get; init; }
        public bool IsInMemory { get; init; }
        public int Physical { get; init; } = 512;

        /// <summary>Time of a write that is smaller than a physical sector, or misaligned.</summary>
        public double? PartialMs { get; init; }

        /// <summary>Relative difference of the rounds.</summary>
        public double Noise { get; init; } = 0.02;
        public double OtherCpu { get; init; } = 5;

        /// <summary>Writes that a device can do at a time.</summary>
        public int Parallel { get; init; } = 16;

        /// <summary>Codes of the other findings that must be there.</summary>
        public string[] Codes { get; init; } = [];
        public string[] Absent { get; init; } = [];

        public override string ToString() => Name;
    }

    private static readonly Model[] s_models =
    [
        new("NVMe with FUA and volatile cache", Fua)
        {
            FuaMs = 0.4,
            ReportsFua = true,
            FlushMs = 3,
        },
        new("NVMe with FUA, FUA not counted", Fua)
        {
            FuaMs = 0.4,
            ReportsFua = true,
            FlushMs = 3,
            IsCounted = false,
        },
        new("FUA as slow as a flush", Any)
        {
            FuaMs = 2,
            ReportsFua = true,
            WriteMs = 0.01,
            Parallel = 64,
            FlushMs = 1.99,
            Codes = [],
        },
        new("FUA slower than a flush", Flush)
        {
            FuaMs = 8,
            ReportsFua = true,
            FlushMs = 2,
            Parallel = 1,
        },
        new("SATA SSD without FUA, slow flush", Flush)
        {
            ReportsFua = false,
            FlushMs = 4,
            Codes = [FindingCodes.CommitGroup],
        },
        new("SATA SSD without FUA, fast flush", Flush) { ReportsFua = false, FlushMs = 0.3 },
        new("hard disk without FUA", Flush)
        {
            ReportsFua = false,
            WriteMs = 0.2,
            FlushMs = 8,
            Parallel = 1,
            Codes = [FindingCodes.CommitGroup],
        },
        new("cache with capacitors and FUA", Any)
        {
            FuaMs = 0.02,
            ReportsFua = true,
            WriteMs = 0.01,
            FlushMs = 0.01,
            Parallel = 64,
            Codes = [FindingCodes.CommitCache],
        },
        new("capacitors, reported without volatile cache", Flush)
        {
            ReportsFua = false,
            HasCache = false,
            WriteMs = 0.015,
            FlushMs = 0,
            Codes = [FindingCodes.CommitCache],
            Absent = [FindingCodes.CommitGroup],
        },
        new("no volatile cache, slow medium", Flush)
        {
            ReportsFua = false,
            HasCache = false,
            WriteMs = 5,
            FlushMs = 0,
            Absent = [FindingCodes.CommitCache],
        },
        new("xfs before kernel 4.18", Flush)
        {
            ReportsFua = true,
            FuaMs = 0.4,
            UsesFua = false,
            Kernel = "4.14",
        },
        new("ext4 before kernel 5.6", Flush)
        {
            ReportsFua = true,
            FuaMs = 0.4,
            UsesFua = false,
            FileSystem = "ext4",
            Kernel = "5.4",
        },
        new("ext4 from kernel 5.6", Fua)
        {
            ReportsFua = true,
            FuaMs = 0.4,
            FlushMs = 3,
            FileSystem = "ext4",
            Kernel = "5.6",
        },
        new("FUA lost in a layer", Flush)
        {
            ReportsFua = true,
            FuaMs = 0.4,
            UsesFua = false,
        },
        new("FUA not reported and not counted", Inconclusive) { IsCounted = false },
        new("FUA not reported but counted", Fua) { FuaMs = 0.4, FlushMs = 3 },
        new("busy computer", Inconclusive)
        {
            FuaMs = 0.4,
            ReportsFua = true,
            FlushMs = 3,
            OtherCpu = 80,
        },
        new("difference within the spread", Inconclusive)
        {
            FuaMs = 1.8,
            ReportsFua = true,
            FlushMs = 2,
            WriteMs = 0.01,
            Parallel = 64,
            Noise = 0.6,
        },
        new("512e with a penalty", Flush)
        {
            ReportsFua = false,
            FlushMs = 0.05,
            Physical = 4096,
            PartialMs = 8,
            Codes = [FindingCodes.CommitSectors, FindingCodes.CommitMisaligned],
        },
        new("512e without a penalty", Fua)
        {
            FuaMs = 0.4,
            ReportsFua = true,
            FlushMs = 3,
            Physical = 4096,
            Codes = [FindingCodes.CommitSectors, FindingCodes.CommitMisaligned],
        },
        new("btrfs", None) { FileSystem = "btrfs", ReportsFua = false },
        new("tmpfs", None)
        {
            FileSystem = "tmpfs",
            IsInMemory = true,
            WriteMs = 0.002,
            FlushMs = 0,
            HasCache = false,
            Codes = [FindingCodes.CommitNoDisk],
        },
        new("Windows, protection declared", None)
        {
            IsWindows = true,
            FileSystem = "NTFS",
            IsPowerProtectionDeclared = true,
            IsCounted = false,
        },
        new("Windows, no write-through", None)
        {
            IsWindows = true,
            FileSystem = "NTFS",
            ReportsFua = false,
            IsCounted = false,
        },
    ];

    public static TheoryData<Model> Models() => [.. s_models];

    [Theory]
    [MemberData(nameof(Models))]
    public void Advice_is_right_for_a_modeled_device(Model model)
    {
        var result = CreateResult(model);
        var settings = result.Findings[0];
        Assert.Equal(FindingCodes.CommitSettings, settings.Code);
        Assert.Equal(model.Setting, settings.Values[CommitAdvisor.SettingValue]);
        var advice = settings.WhatToDo ?? "";
        Assert.Equal(
            model.Setting is Fua or Any,
            advice.Contains("control.alternatewritethrough 0, and trace flag 3979", StringComparison.Ordinal)
        );
        Assert.Equal(
            model.Setting == Flush || model.Name == "FUA not reported and not counted",
            advice.Contains("control.alternatewritethrough 1. Do not set trace flag 3979 (3982 is the default)", StringComparison.Ordinal)
        );
        foreach (var code in model.Codes)
            Assert.Contains(result.Findings, finding => finding.Code == code);
        foreach (var code in model.Absent)
            Assert.DoesNotContain(result.Findings, finding => finding.Code == code);
    }

    [Fact]
    public void Advice_states_the_expected_gain()
    {
        var settings = CreateResult(s_models[0]).Findings[0];
        Assert.EndsWith("Expected gain: 7.6 times", settings.WhatToDo, StringComparison.Ordinal);
        Assert.Equal(7.625, settings.Evidence.Single(item => item.Name == "Gain").Value!.Value, 0.01);
    }

    [Theory]
    [InlineData(0.02, true)]
    [InlineData(0.6, false)]
    public void Faster_write_through_without_FUA_is_stated_and_the_default_stays_the_advice(double noise, bool isStated)
    {
        var model = new Model("merged flushes", Flush)
        {
            ReportsFua = false,
            MergedFlushRate = 44_200,
            Noise = noise,
        };
        var settings = CreateResult(model).Findings[0];
        Assert.Contains("keep the default: control.writethrough 1", settings.WhatToDo, StringComparison.Ordinal);
        Assert.Contains("so each write-through write requires a flush of the device cache.", settings.What, StringComparison.Ordinal);
        Assert.Equal(
            isStated,
            settings.What.EndsWith(
                " With 32 committers, write-through was 2.9 times faster than the default in this test. Microsoft recommends the default for devices without FUA (https://support.microsoft.com/kb/4131496).",
                StringComparison.Ordinal
            )
        );
    }

    [Fact]
    public void Penalty_is_a_warning_only_if_it_is_clear()
    {
        var clear = CreateResult(s_models.Single(model => model.Name == "512e with a penalty")).Findings;
        var none = CreateResult(s_models.Single(model => model.Name == "512e without a penalty")).Findings;
        Assert.Equal(FindingSeverity.Warning, clear.Single(item => item.Code == FindingCodes.CommitSectors).Severity);
        Assert.Contains(
            "trace flag 1800",
            clear.Single(item => item.Code == FindingCodes.CommitMisaligned).WhatToDo,
            StringComparison.Ordinal
        );
        Assert.Equal(FindingSeverity.Info, none.Single(item => item.Code == FindingCodes.CommitSectors).Severity);
        Assert.Null(none.Single(item => item.Code == FindingCodes.CommitMisaligned).WhatToDo);
    }

    [Fact]
    public void Commit_from_a_cache_leads_to_the_witness()
    {
        var finding = CreateResult(s_models.Single(model => model.Name == "cache with capacitors and FUA"))
            .Findings.Single(item => item.Code == FindingCodes.CommitCache);
        Assert.Contains(
            "Either the device cache has power-loss protection, or the writes are not durable",
            finding.What,
            StringComparison.Ordinal
        );
        Assert.Contains("iobench verify --witness", finding.WhatToDo, StringComparison.Ordinal);
    }

    [Fact]
    public void Other_IO_on_the_device_is_reported_and_makes_differences_inconclusive()
    {
        var quiet = CreateResult(s_models[0]);
        Assert.DoesNotContain(quiet.Findings, item => item.Code == FindingCodes.CommitOtherIO);
        var busy = CreateResult(s_models[0], otherWriteShare: 0.5);
        Assert.Equal(FindingSeverity.Warning, busy.Findings.Single(item => item.Code == FindingCodes.CommitOtherIO).Severity);
        Assert.Equal(Inconclusive, busy.Findings[0].Values[CommitAdvisor.SettingValue]);
    }

    [Fact]
    public void Counts_that_are_missing_are_stated()
    {
        var finding = CreateResult(s_models[1]).Findings.Single(item => item.Code == FindingCodes.CommitNotCounted);
        Assert.Equal("Writes, flushes, and FUA writes were not counted: IoBench can count FUA writes only as root.", finding.What);
        Assert.DoesNotContain(CreateResult(s_models[0]).Findings, item => item.Code == FindingCodes.CommitNotCounted);
    }

    [Fact]
    public void Name_of_write_through_states_only_what_was_counted()
    {
        string[] names =
        [
            .. new[]
            {
                "NVMe with FUA and volatile cache",
                "SATA SSD without FUA, slow flush",
                "no volatile cache, slow medium",
                "NVMe with FUA, FUA not counted",
            }.Select(name => CreateResult(s_models.Single(model => model.Name == name)).Measurements[0].MethodName),
        ];
        Assert.Equal(["write-through (FUA)", "write-through (flush)", "write-through (no flush)", "write-through"], names);
    }

    private static CommitResult CreateResult(Model model, double otherWriteShare = 0)
    {
        List<CommitMeasurement> items = [];
        foreach (var method in Enum.GetValues<CommitMethod>())
        foreach (var committers in new[] { 1, 8, 32 })
            items.Add(CreateMeasurement(model, method, committers, 4096, isMisaligned: false, otherWriteShare));
        if (model.Physical > 512)
        {
            items.Add(CreateMeasurement(model, CommitMethod.WriteThrough, 1, 512, isMisaligned: false, otherWriteShare));
            items.Add(CreateMeasurement(model, CommitMethod.WriteThrough, 1, 4096, isMisaligned: true, otherWriteShare));
        }
        return new CommitResult
        {
            Path = "/data/iobench.dat",
            StartTime = DateTimeOffset.UnixEpoch,
            DurationSeconds = 2,
            Storage = new CommitStorage
            {
                IsWindows = model.IsWindows,
                FileSystem = model.FileSystem,
                Kernel = model.IsWindows ? null : Version.Parse(model.Kernel),
                SupportsFua = model.ReportsFua,
                HasVolatileCache = model.ReportsCache ?? model.HasCache,
                IsPowerProtectionDeclared = model.IsPowerProtectionDeclared,
                PhysicalSectorSize = model.Physical,
                IsInMemory = model.IsInMemory,
                FuaNotCountedReason = model.IsCounted ? null : "IoBench can count FUA writes only as root",
            },
            Measurements = items,
        };
    }

    private static CommitMeasurement CreateMeasurement(
        Model model,
        CommitMethod method,
        int committers,
        int size,
        bool isMisaligned,
        double otherWriteShare
    )
    {
        var usesFua = method == CommitMethod.WriteThrough && model is { FuaMs: not null, UsesFua: true };
        var write = size < model.Physical || isMisaligned ? model.PartialMs ?? model.WriteMs : model.WriteMs;
        var flushes = usesFua || !model.HasCache ? 0 : 1.0;
        double ms;
        double rate;
        if (usesFua)
        {
            ms = model.FuaMs!.Value;
            rate = 1000 / ms * Math.Min(committers, model.Parallel);
        }
        else if (method == CommitMethod.GroupedFlush)
        {
            // All writes that wait are covered by one flush.
            ms = write * Math.Max(1, committers / model.Parallel) + model.FlushMs * GetFlushes(model);
            rate = 1000 / ms * committers;
            flushes /= committers;
        }
        else
        {
            ms = write + model.FlushMs * GetFlushes(model);
            // The flushes of a device follow each other.
            rate = 1000 / Math.Max(ms / Math.Min(committers, model.Parallel), committers > 1 ? model.FlushMs * GetFlushes(model) : ms);
        }
        if (method == CommitMethod.WriteThrough && committers > 1)
            rate = model.MergedFlushRate ?? rate;
        const int count = 100_000;
        return new CommitMeasurement
        {
            Method = method,
            Committers = committers,
            WriteSize = size,
            IsMisaligned = isMisaligned,
            CommitsPerSecond = rate,
            RoundRates = [rate * (1 - model.Noise), rate, rate * (1 + model.Noise)],
            CommitCount = count,
            AverageMs = ms,
            WriteCount = count,
            DeviceCounts = model.IsCounted
                ? new CommitDeviceCounts
                {
                    Devices = ["sda"],
                    Writes = count,
                    WriteBytes = (long)(count * (long)size * (1 + otherWriteShare)),
                    Reads = 0,
                    Flushes = (long)(flushes * count),
                    FuaWrites = usesFua ? count : 0,
                }
                : null,
            OtherCpuPercent = model.OtherCpu,
        };
    }

    private static int GetFlushes(Model model) => model.HasCache ? 1 : 0;
}
