using System.Buffers.Binary;

namespace IoBench.Engine.Tests;

public sealed unsafe class NvmeCommandTests
{
    private const uint Fua = 1u << 30;

    [Theory]
    [InlineData(9, 0, 512, 0u, 0u, 0u)]
    [InlineData(9, 8192, 8192, 16u, 0u, 15u)]
    [InlineData(12, 8192, 8192, 2u, 0u, 1u)]
    [InlineData(12, 4096, 256 << 20, 1u, 0u, 65535u)]
    [InlineData(9, (1L << 32) * 512 * 3 + 512, 1 << 20, 1u, 3u, 2047u)]
    public void Read_and_write_become_NVMe_commands_for_their_blocks(int shift, long offset, long length, uint low, uint high, uint count)
    {
        var buffer = stackalloc byte[8];
        var slot = new IoSlot
        {
            Operation = IoRequestKind.Read,
            Offset = offset,
            Length = (int)length,
            Buffer = buffer,
        };
        var command = NvmeCommandEncoder.CreateCommand(CreateTarget(shift, isWriteThrough: true), &slot);
        Assert.Equal(
            (0x02, 7u, low, high, count),
            ((int)command.Opcode, command.Namespace, command.Word10, command.Word11, command.Word12)
        );
        Assert.Equal(((ulong)buffer, (uint)length), (command.Address, command.DataLength));
        slot.Operation = IoRequestKind.Write;
        var write = NvmeCommandEncoder.CreateCommand(CreateTarget(shift, isWriteThrough: false), &slot);
        Assert.Equal((0x01, low, high, count), ((int)write.Opcode, write.Word10, write.Word11, write.Word12));
        // Write-through (FUA) depends on the drive. It is set for writes only.
        Assert.Equal(count | Fua, NvmeCommandEncoder.CreateCommand(CreateTarget(shift, isWriteThrough: true), &slot).Word12);
    }

    [Fact]
    public void Flush_command_has_no_blocks_and_no_data()
    {
        var slot = new IoSlot { Operation = IoRequestKind.Flush, Offset = 4096 };
        Assert.Equal(
            new LinuxCalls.NvmeCommand { Opcode = 0x00, Namespace = 7 },
            NvmeCommandEncoder.CreateCommand(CreateTarget(9, isWriteThrough: true), &slot)
        );
    }

    [Theory]
    [InlineData(9, 256, 512)]
    [InlineData(12, 512, 4096)]
    [InlineData(12, 4096, 512)]
    [InlineData(9, 0, 0)]
    public void IO_that_is_not_whole_blocks_is_never_sent(int shift, long offset, int length)
    {
        var slot = new IoSlot
        {
            Operation = IoRequestKind.Write,
            Offset = offset,
            Length = length,
        };
        IoBenchException? error = null;
        try
        {
            NvmeCommandEncoder.CreateCommand(CreateTarget(shift, isWriteThrough: true), &slot);
        }
        catch (IoBenchException e)
        {
            error = e;
        }
        Assert.Equal("IoBench.IoFailed", error?.ErrorId);
        Assert.Contains("nothing was sent", error!.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Completion_becomes_a_byte_count_an_errno_or_a_drive_status()
    {
        Assert.Equal(8192, NvmeCommandEncoder.ToResult(0, 8192));
        Assert.Equal(-Errno.EIO, NvmeCommandEncoder.ToResult(-Errno.EIO, 8192));
        var status = NvmeCommandEncoder.ToResult(0x4281, 8192);
        Assert.True(status < 0 && NvmeStatus.IsStatus(status));
        Assert.False(NvmeStatus.IsStatus(-Errno.EDQUOT));
        Assert.False(NvmeStatus.IsStatus(8192));
    }

    [Theory]
    [InlineData(0x281, "NVMe status 0x281 (Unrecovered Read Error)")]
    [InlineData(0x4080, "NVMe status 0x80 (LBA Out of Range; the drive says that to try again is of no use)")]
    [InlineData(0x020, "NVMe status 0x20 (Namespace is Write Protected)")]
    [InlineData(0x7C1, "NVMe status 0x7c1 (code c1 of type 7)")]
    public void Status_text_has_name_and_number(int status, string text) =>
        Assert.Equal(text, NvmeStatus.Describe(NvmeStatus.ToResult(status)));

    [LinuxFact]
    public void Error_of_a_failed_IO_contains_the_drive_status()
    {
        var slot = new IoSlot
        {
            Operation = IoRequestKind.Read,
            Offset = 4096,
            Length = 512,
        };
        var error = IoErrors.FromResult(&slot, NvmeStatus.ToResult(0x281), "/dev/nvme0n1");
        Assert.StartsWith(
            "read of 512 bytes at offset 4,096 of /dev/nvme0n1 failed: NVMe status 0x281 (Unrecovered Read Error). The drive failed",
            error.Message,
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData(IoBuffering.Software)]
    [InlineData(IoBuffering.Both)]
    public void Validation_rejects_NVMe_passthrough_with_the_file_cache(IoBuffering buffering)
    {
        var specification = new IoTestSpecification
        {
            Targets = [new("/dev/nvme0n1")],
            Backend = NvmePassthroughBackend.Name,
            Buffering = buffering,
        };
        Assert.Equal(
            "IoBench.ConflictingOptions",
            Assert.Throws<IoBenchException>(() => SpecificationValidator.Validate(specification)).ErrorId
        );
        specification.Buffering = IoBuffering.None;
        specification.Polling = IoPolling.Completion;
        SpecificationValidator.Validate(specification);
    }

    [Fact]
    public void Auto_never_selects_NVMe_passthrough()
    {
        var descriptor = BackendCatalog.Get(NvmePassthroughBackend.Name);
        Assert.True(descriptor is { IsOnRequestOnly: true, IsModelled: false });
        if (descriptor.GetUnavailableReason() is null)
            Assert.NotEqual(NvmePassthroughBackend.Name, new BackendNegotiation(BackendCatalog.Auto).Kind.Name);
    }

    [Theory]
    [InlineData(IoPolling.Completion, "6.1.192", true)]
    [InlineData(IoPolling.Hybrid, "5.19", true)]
    [InlineData(IoPolling.Completion, "6.5", false)]
    [InlineData(IoPolling.Submission, "6.1", false)]
    [InlineData(IoPolling.None, "5.19", false)]
    public void Polling_is_refused_on_kernels_that_can_crash(IoPolling polling, string kernel, bool isRefused) =>
        Assert.Equal(isRefused, NvmePassthroughBackend.GetNoPollingReason(polling, new Version(kernel)) is not null);

    [Fact]
    public void Identity_data_distinguishes_namespaces_and_controllers()
    {
        var one = CreateIdentity(shift: 9, blocks: 2048);
        Assert.Null(NvmeCharacterDevice.GetUnsupportedReason(one, 512, 2048 * 512));
        var other = (byte[])one.Clone();
        // The number of allocated blocks changes over time.
        other[16]++;
        Assert.True(NvmeCharacterDevice.IsSameNamespace(one, other));
        other[120]++;
        Assert.False(NvmeCharacterDevice.IsSameNamespace(one, other));
        var (here, there) = (new byte[4096], new byte[4096]);
        there[78] = 2;
        Assert.True(NvmeCharacterDevice.IsSameController(here, there));
        there[4] = (byte)'S';
        Assert.False(NvmeCharacterDevice.IsSameController(here, there));
    }

    [Fact]
    public void Namespace_is_refused_when_its_blocks_differ_from_the_device()
    {
        Assert.Contains(
            "2^12",
            NvmeCharacterDevice.GetUnsupportedReason(CreateIdentity(12, 2048), 512, 2048 * 4096),
            StringComparison.Ordinal
        );
        Assert.Contains(
            "a different size",
            NvmeCharacterDevice.GetUnsupportedReason(CreateIdentity(9, 2048), 512, 4096 * 512),
            StringComparison.Ordinal
        );
        Assert.Contains(
            "metadata",
            NvmeCharacterDevice.GetUnsupportedReason(CreateIdentity(9, 2048, metadata: 8), 512, 2048 * 512),
            StringComparison.Ordinal
        );
        var protecting = CreateIdentity(9, 2048);
        protecting[29] = 1;
        Assert.Contains("end to end", NvmeCharacterDevice.GetUnsupportedReason(protecting, 512, 2048 * 512), StringComparison.Ordinal);
        // A namespace can support more than sixteen formats. The number of the format in use has bits in two places.
        var many = CreateIdentity(9, 2048);
        many[26] = 0x21;
        many[128 + 4 * 17 + 2] = 12;
        Assert.Null(NvmeCharacterDevice.GetUnsupportedReason(many, 4096, 2048 * 4096));
    }

    /// <summary>
    /// Since Linux 6.15, /dev/null accepts and completes commands of any driver, so the larger entries of the ring can be tested without a
    /// drive.
    /// </summary>
    [NullDeviceCommandsFact]
    public void Ring_with_large_entries_completes_every_command()
    {
        const int slots = 6;
        var memory = new WorkerMemory(slots, slots * 4096, largePages: false);
        using var handle = new TargetHandle(File.OpenHandle("/dev/null"), "/dev/null", () => { })
        {
            Nvme = CreateTarget(9, isWriteThrough: true),
        };
        var backend = new NvmePassthroughBackend();
        try
        {
            for (var i = 0; i < slots; i++)
                memory.Slots[i].ReadBuffer = memory.Slots[i].WriteBuffer = memory.Buffers + i * 4096;
            backend.Open(
                new BackendSetup
                {
                    Slots = memory.Slots,
                    SlotCount = slots,
                    Buffers = memory.Buffers,
                    BufferBytes = memory.BufferBytes,
                    Targets = [handle],
                }
            );
            backend.DisableFeaturesExcept(backend.EnableOptionalFeatures());
            Assert.Equal("ng0n7", backend.FeatureNames[0]);
            SubmitRounds(backend, memory, rounds: 50);
        }
        finally
        {
            backend.Close();
            memory.Free();
        }
    }

    /// <summary>The kernel counts all pages up to the end of the registered buffer as segments of a command.</summary>
    [Fact]
    public void Registered_buffer_fits_the_segments_of_one_command()
    {
        const int slots = 10;
        const int block = 12 << 10;
        const int largest = 32 << 10;
        var memory = new WorkerMemory(slots, slots * block, largePages: false);
        try
        {
            for (var i = 0; i < slots; i++)
                memory.Slots[i].ReadBuffer = memory.Slots[i].WriteBuffer = memory.Buffers + i * block;
            var pieces = BackendSetup.SplitIntoRegisteredBuffers(
                new BackendSetup
                {
                    Slots = memory.Slots,
                    SlotCount = slots,
                    Buffers = memory.Buffers,
                    BufferBytes = memory.BufferBytes,
                    Targets = [],
                },
                largest
            );
            Assert.Equal(slots * block, pieces.Sum(piece => (long)piece.Length));
            Assert.All(pieces, piece => Assert.InRange((long)piece.Length, block, largest));
            for (var i = 0; i < slots; i++)
            {
                var piece = pieces[memory.Slots[i].RegisteredBuffer];
                Assert.True(
                    memory.Slots[i].ReadBuffer >= piece.Base && memory.Slots[i].ReadBuffer + block <= piece.Base + (long)piece.Length
                );
            }
        }
        finally
        {
            memory.Free();
        }
    }

    private static void SubmitRounds(NvmePassthroughBackend backend, WorkerMemory memory, int rounds)
    {
        for (var round = 0; round < rounds; round++)
        {
            // The counts do not divide the size of the ring, so each round starts at another entry.
            var count = 1 + round % memory.SlotCount;
            for (var i = 0; i < count; i++)
            {
                var slot = memory.Slots + i;
                (slot->Operation, slot->Offset) = ((IoRequestKind)((round + i) % 3), i * 4096);
                slot->Buffer = slot->ReadBuffer;
                slot->Length = slot->Operation == IoRequestKind.Flush ? 0 : 512 * (1 + i);
                memory.Batch[i] = i;
            }
            var back = new HashSet<int>();
            for (var (got, first) = (0, true); got < count; first = false)
            {
                var now = backend.SubmitAndReap(memory.Batch, first ? count : 0, long.MaxValue, memory.Completions);
                for (var i = 0; i < now; i++)
                {
                    Assert.True(back.Add(memory.Completions[i].Slot));
                    Assert.Equal(memory.Slots[memory.Completions[i].Slot].Length, memory.Completions[i].Result);
                }
                got += now;
            }
            Assert.Equal(Enumerable.Range(0, count), back.Order());
        }
    }

    private static NvmeTarget CreateTarget(int shift, bool isWriteThrough) =>
        new()
        {
            Name = "ng0n7",
            Namespace = 7,
            SectorShift = shift,
            LargestTransfer = 16 << 10,
            IsWriteThrough = isWriteThrough,
        };

    private static byte[] CreateIdentity(int shift, ulong blocks, ushort metadata = 0)
    {
        var identity = new byte[4096];
        BinaryPrimitives.WriteUInt64LittleEndian(identity, blocks);
        BinaryPrimitives.WriteUInt16LittleEndian(identity.AsSpan(128), metadata);
        identity[130] = (byte)shift;
        return identity;
    }

    private sealed class NullDeviceCommandsFactAttribute : FactAttribute
    {
        public NullDeviceCommandsFactAttribute() =>
            Skip =
                BackendFactAttribute.Reason(NvmePassthroughBackend.Name)
                ?? (Environment.OSVersion.Version >= new Version(6, 15) ? null : "needs Linux 6.15, whose /dev/null takes commands");
    }
}
