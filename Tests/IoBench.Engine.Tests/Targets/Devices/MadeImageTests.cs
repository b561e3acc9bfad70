using System.Globalization;

namespace IoBench.Engine.Tests;

public class MadeImageTests : TargetTestBase
{
    [Theory]
    [FormatImage("a Minix file system", "mkfs.minix -1 $i")]
    [FormatImage("a Minix file system", "mkfs.minix -2 $i")]
    [FormatImage("a Minix file system", "mkfs.minix -3 $i")]
    [FormatImage("an SCO BFS file system", "mkfs.bfs $i")]
    [FormatImage("a btrfs file system", "mkfs.btrfs $i")]
    [FormatImage("a cramfs file system", "mkfs.cramfs $d $i")]
    [FormatImage("an EROFS file system", "mkfs.erofs $i $d")]
    [FormatImage("an exFAT file system", "mkfs.exfat $i")]
    [FormatImage("an ext file system", "mkfs.ext2 -F $i")]
    [FormatImage("an ext file system", "mkfs.ext4 -F $i")]
    [FormatImage("an ext file system", "mkfs.ext4 -F -O journal_dev $i")]
    [FormatImage("an F2FS file system", "mkfs.f2fs $i")]
    [FormatImage("a FAT file system", "mkfs.fat -F 12 $i", megabytes: 2)]
    [FormatImage("a FAT file system", "mkfs.fat -F 16 $i")]
    [FormatImage("a FAT file system", "mkfs.fat -F 32 $i")]
    [FormatImage("a FAT file system", "mkfs.fat -F 16 $i && printf '\\0\\0\\0\\0\\0\\0\\0\\0' | dd of=$i bs=1 seek=54 conv=notrunc")]
    [FormatImage("a GFS file system", "mkfs.gfs2 -O -p lock_nolock $i")]
    [FormatImage("a JFS file system", "mkfs.jfs -q $i")]
    [FormatImage("a NILFS2 file system", "mkfs.nilfs2 $i")]
    [FormatImage("a NILFS2 file system", "mkfs.nilfs2 $i && dd if=/dev/zero of=$i bs=1M count=1 conv=notrunc")]
    [FormatImage("an NTFS file system", "mkntfs -F -Q $i")]
    [FormatImage("an OCFS2 file system", "mkfs.ocfs2 -F -M local $i")]
    [FormatImage("a Reiser4 file system", "mkfs.reiser4 -f -y $i")]
    [FormatImage("a ReiserFS file system", "mkfs.reiserfs -q -ff $i")]
    [FormatImage("a UDF file system", "mkudffs $i")]
    [FormatImage("a UDF file system", "mkudffs --media-type=hd -b 4096 $i")]
    [FormatImage("an XFS file system", "mkfs.xfs $i")]
    [FormatImage("an XFS log", "mkfs.xfs -l logdev=$i,size=100m -d file,name=$i.data,size=300m")]
    [FormatImage("a squashfs file system", "mksquashfs $d $i -noappend")]
    [FormatImage("an ISO 9660 file system", "genisoimage -o $i $d")]
    [FormatImage("a romfs file system", "genromfs -f $i -d $d", knownToLibBlkid: false)]
    [FormatImage("a UFS file system", "makefs -t ffs -s 16m $i $d")]
    [FormatImage("a UFS file system", "makefs -t ffs -B be -s 16m $i $d")]
    [FormatImage("a UFS file system", "makefs -t ffs -o version=2 -s 16m $i $d")]
    [FormatImage("an HFS file system", "hformat $i")]
    [FormatImage("an HFS+ file system", "mkfs.hfsplus $i")]
    [FormatImage("swap space", "mkswap $i")]
    [FormatImage("a LUKS encrypted volume", "cryptsetup luksFormat -q --pbkdf pbkdf2 --pbkdf-force-iterations 1000 --type luks1 $i $d/key")]
    [FormatImage("a LUKS encrypted volume", "cryptsetup luksFormat -q --pbkdf pbkdf2 --pbkdf-force-iterations 1000 --type luks2 $i $d/key")]
    [FormatImage("a dm-verity hash tree", "veritysetup format $d/file $i")]
    [FormatImage("a bcache or bcachefs device", "make-bcache -B $i")]
    [FormatImage("a DRBD volume", "drbdmeta --force 0 v08 $i internal create-md")]
    [FormatImage("a DRBD volume", "drbdmeta --force 0 v09 $i internal create-md 1")]
    [FormatImage("a boot sector or an empty partition table", "parted -s $i mklabel msdos")]
    [FormatImage("a partition table", "parted -s $i mklabel msdos mkpart primary 1MiB 100%")]
    [FormatImage("a GPT partition table", "parted -s $i mklabel gpt")]
    [FormatImage("a GPT partition table", "parted -s $i mklabel gpt && dd if=/dev/zero of=$i bs=1M count=1 conv=notrunc")]
    [FormatImage("a Sun disk label", "parted -s $i mklabel sun")]
    [FormatImage("a Mac partition map", "parted -s $i mklabel mac")]
    [FormatImage("an SGI disk label", "parted -s $i mklabel dvh")]
    [FormatImage("a BSD disk label", "parted -s $i mklabel bsd", knownToLibBlkid: false)]
    [FormatImage("a virtual disk (QCOW)", "qemu-img create -q -f qcow2 $i 64M", knownToLibBlkid: false)]
    [FormatImage("a virtual disk (QED)", "qemu-img create -q -f qed $i 64M", knownToLibBlkid: false)]
    [FormatImage("a virtual disk (VDI)", "qemu-img create -q -f vdi $i 64M", knownToLibBlkid: false)]
    [FormatImage("a virtual disk (VHD)", "qemu-img create -q -f vpc -o subformat=dynamic $i 64M", knownToLibBlkid: false)]
    [FormatImage("a virtual disk (VHD)", "qemu-img create -q -f vpc -o subformat=fixed $i 64M", knownToLibBlkid: false)]
    [FormatImage("a virtual disk (VHDX)", "qemu-img create -q -f vhdx $i 64M", knownToLibBlkid: false)]
    [FormatImage("a virtual disk (VMDK)", "qemu-img create -q -f vmdk $i 64M", knownToLibBlkid: false)]
    [FormatImage("a virtual disk (VMDK)", "qemu-img create -q -f vmdk -o subformat=twoGbMaxExtentFlat $i 64M", knownToLibBlkid: false)]
    [FormatImage("a virtual disk (Parallels)", "qemu-img create -q -f parallels $i 64M", knownToLibBlkid: false)]
    [FormatImage("an Amiga disk", "parted -s $i mklabel amiga", knownToLibBlkid: false)]
    public void Image_created_by_a_format_tool_is_recognized(string name, string command, bool knownToLibBlkid, int megabytes)
    {
        var image = GetPath("image");
        using (var file = File.Create(image))
            file.SetLength(megabytes * MB);
        var folder = GetPath("content");
        Directory.CreateDirectory(folder);
        File.WriteAllBytes(Path.Combine(folder, "file"), new byte[MB]);
        File.WriteAllText(Path.Combine(folder, "key"), "a key of many words");
        using (var empty = PlatformFiles.Current.OpenToRead(image))
            Assert.Null(LibBlkid.Find(empty, image));

        RunShell(string.Create(CultureInfo.InvariantCulture, $"i='{image}' d='{folder}'; {command}"));

        using var handle = PlatformFiles.Current.OpenToRead(image);
        var size = RandomAccess.GetLength(handle);
        var content = new TargetContent(size, (offset, buffer) => Assert.Equal(buffer.Length, RandomAccess.Read(handle, buffer, offset)));
        Assert.Equal(name, content.Find()?.Name);
        Assert.NotNull(content.FindFirstNonZeroByte());
        if (LibBlkid.IsAvailable && knownToLibBlkid)
            Assert.NotNull(LibBlkid.Find(handle, image));
    }

    [LibBlkidFact]
    public void LibBlkid_also_finds_a_superblock_with_a_bad_checksum()
    {
        var image = GetPath("image");
        using (var file = File.Create(image))
        {
            // The last sector of a VIA RAID member: its signature, its version, and an invalid checksum.
            file.SetLength(16 * MB);
            file.Position = 16 * MB - 512;
            file.Write([0x55, 0xAA, 0x01, .. new byte[47], 0x77]);
        }
        using var handle = PlatformFiles.Current.OpenToRead(image);
        Assert.Equal("a member of a volume group or RAID (via_raid_member)", LibBlkid.Find(handle, image));
    }

    [LibBlkidFact]
    public void LibBlkid_read_error_is_not_an_empty_result()
    {
        using var folder = LinuxFiles.TryOpen(Folder, LinuxCalls.O_RDONLY | LinuxCalls.O_DIRECTORY, out _);
        AssertRefused("IoBench.FileFailed", () => LibBlkid.Find(folder!, Folder));
    }

    private sealed class LibBlkidFactAttribute : FactAttribute
    {
        public LibBlkidFactAttribute() => Skip = LibBlkid.IsAvailable ? null : "needs libblkid";
    }
}
