function Resolve-IoSessionPath {
    <# Paths that are meant on other hosts: nothing here can look them up, so they must say all by themselves. What does not is a non-terminating error. #>
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [AllowNull()]
        [AllowEmptyCollection()]
        [AllowEmptyString()]
        [string[]] $Path,

        [AllowNull()]
        [AllowEmptyCollection()]
        [AllowEmptyString()]
        [string[]] $LiteralPath,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    foreach ($item in @($Path) + @($LiteralPath)) {
        if ($item -match '^([\\/]|[A-Za-z]:[\\/])' -and ($item -in $LiteralPath -or $item -notmatch '[*?]')) {
            $item
        } elseif ($null -ne $item) {
            $message = "'$item' cannot be looked up on other hosts. With -Session give full paths without wildcards, such as T:\ or /data/iotest.dat."
            $Cmdlet.WriteError((New-IoError -ErrorId 'IoBench.SessionPath' -Kind Usage -Message $message -TargetObject $item))
        }
    }
}
