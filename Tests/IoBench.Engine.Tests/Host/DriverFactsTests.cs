using System.Buffers.Binary;
using System.Text;

namespace IoBench.Engine.Tests;

public class DriverFactsTests
{
    [Fact]
    public void File_system_filters_are_listed_with_their_purpose()
    {
        (string, string?)[] drivers =
        [
            ("WdFilter", "FSFilter Anti-Virus"),
            ("Ntfs", "Boot File System"),
            ("FileCrypt", "FSFilter Encryption"),
            ("disk", null),
            ("mpio", "Filter"),
            ("MSDSM", null),
        ];
        Assert.Equal("FileCrypt (Encryption), WdFilter (Anti-Virus)", HostFacts.DescribeFilters(drivers));
        Assert.Equal("mpio, MSDSM", HostFacts.DescribeMultipath(drivers));
        Assert.Null(HostFacts.DescribeFilters([("Ntfs", "Boot File System")]));
        Assert.Null(HostFacts.DescribeMultipath([]));
    }

    [Fact]
    public void Core_classes_are_counted_fastest_first()
    {
        Assert.Equal("2 of class 1, 3 of class 0", HostFacts.DescribeCoreClasses(CreateCoreList(1, 0, 0, 1, 0)));
        Assert.Null(HostFacts.DescribeCoreClasses(CreateCoreList(0, 0)));
        Assert.Null(HostFacts.DescribeCoreClasses([]));
        // A truncated buffer must not cause an endless loop.
        Assert.Null(HostFacts.DescribeCoreClasses(new byte[48]));
    }

    [Theory]
    [InlineData("Microsoft Hv")]
    [InlineData("VMwareVMware")]
    [InlineData("KVMKVMKVM\0\0\0")]
    public void Hypervisor_name_is_decoded(string name)
    {
        var bytes = Encoding.ASCII.GetBytes(name);
        int Part(int i) => BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(4 * i));
        Assert.Equal(name.TrimEnd('\0'), HostFacts.DecodeHypervisor(Part(0), Part(1), Part(2)));
        Assert.Null(HostFacts.DecodeHypervisor(0, 0, 0));
    }

    private static byte[] CreateCoreList(params byte[] classes)
    {
        const int size = 48;
        var buffer = new byte[size * classes.Length];
        for (var i = 0; i < classes.Length; i++)
        {
            BinaryPrimitives.WriteInt32LittleEndian(buffer.AsSpan(i * size + 4), size);
            buffer[i * size + 9] = classes[i];
        }
        return buffer;
    }
}
